/* global SwaggerUIBundle */

// The description names the public address of the service. The page may have been reached under another one, and the
// browser lets it talk only to where it came from: so requests go there.
const here = new URL('.', document.baseURI).href.replace(/\/$/, '');

const answer = await fetch(`${here}/v1/openapi.json`);
if (answer.ok) {
  const description = await answer.json();
  SwaggerUIBundle({
    dom_id: '#description',
    spec: { ...description, servers: [{ url: here }] },
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // Would send the description to an outside host.
    validatorUrl: null,
  });
} else {
  document.querySelector('#description').textContent = `The description could not be loaded: ${answer.status}`;
}
