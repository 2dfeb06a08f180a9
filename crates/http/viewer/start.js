// Shows the description of the listener that this page comes from. Credentials stay in the page and are gone with it.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const followReader = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followReader);
followReader();

// What is tried on the page afterwards is shown as it came.
let loaded = false;

// HEAD answers what GET answers, without a body, and the pages are this one and its neighbours: both would only lengthen the list.
function withoutPages(document) {
  for (const [path, item] of Object.entries(document.paths)) {
    delete item.head;
    if (Object.values(item).every((operation) => operation.tags.includes("pages"))) delete document.paths[path];
  }
  document.tags = document.tags.filter(({ name }) => name !== "pages");
  return document;
}

// Puts inputs that the first pool accepts in the place of the examples, so that each request can be sent as it is.
function withExamples(document, examples) {
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.example !== undefined && parameter.name in examples) parameter.example = examples[parameter.name];
    }
    const example = operation.requestBody?.content["application/json"]?.example ?? {};
    for (const name of Object.keys(example)) if (name in examples) example[name] = examples[name];
  }
  return document;
}

// The admin listener has none.
async function fetchExamples() {
  const response = await fetch("docs/examples.json");
  return response.ok ? response.json() : {};
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
  responseInterceptor: async (response) => {
    if (!loaded && response.ok && response.url.endsWith("/openapi.json")) {
      loaded = true;
      const document = withoutPages(JSON.parse(response.text));
      const examples = document.info.title === "Firmquote" ? await fetchExamples() : {};
      response.text = JSON.stringify(withExamples(document, examples));
    }
    return response;
  },
});
