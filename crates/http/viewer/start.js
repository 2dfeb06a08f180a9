// Shows the description of the listener that this page comes from. Credentials stay in the page and are gone with it.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const followReader = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followReader);
followReader();

// What is tried on the page afterwards is shown as it came.
let loaded = false;

// HEAD answers what GET answers, without a body: it would only double the list.
function withoutHead(document) {
  Object.values(document.paths).forEach((item) => delete item.head);
  return document;
}

SwaggerUIBundle({
  url: "openapi.json",
  domNode: document.getElementById("viewer"),
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
  responseInterceptor: (response) => {
    if (!loaded && response.ok && response.url.endsWith("/openapi.json")) {
      loaded = true;
      response.text = JSON.stringify(withoutHead(JSON.parse(response.text)));
    }
    return response;
  },
});
