// Shows the description of the listener that this page comes from. Credentials stay in the page and are gone with it.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const followReader = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followReader);
followReader();

SwaggerUIBundle({
  url: "openapi.json",
  domNode: document.getElementById("viewer"),
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
});
