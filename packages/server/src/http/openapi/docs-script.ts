/**
 * What the page of the API does in a browser: searches, opens what is linked to, fills in the address, and sends what only
 * reads. Served as a file of its own, so that the page needs no script inside it.
 *
 * The token that is pasted in stays in the page's memory: it is neither kept nor put into an address.
 */
export const docsScript = `'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];
const search = document.querySelector('#search');
const token = document.querySelector('#token');

// Where no address was given to the server, the one that the page came from is right.
for (const place of all('.base')) if (place.textContent.startsWith('$')) place.textContent = location.origin;

const find = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const entry of all('[data-text]')) entry.hidden = !words.every((word) => entry.dataset.text.includes(word));
  for (const section of all('section')) section.hidden = !section.querySelector('[data-text]:not([hidden])');
};
search.addEventListener('input', find);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  search.focus();
});

const openLinked = () => {
  const entry = location.hash === '' ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (entry === null) return;
  if (entry.closest('[hidden]') !== null) {
    search.value = '';
    find();
  }
  if (entry.tagName === 'DETAILS') entry.open = true;
  entry.scrollIntoView();
};
addEventListener('hashchange', openLinked);
openLinked();

const addressOf = (form) => {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  return query.size === 0 ? path : path + '?' + query;
};
const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
const send = async (form) => {
  const shown = form.querySelector('output');
  shown.textContent = '…';
  try {
    const headers = token.value === '' ? {} : { authorization: 'Bearer ' + token.value.trim() };
    const answer = await fetch(addressOf(form), { headers, credentials: 'omit' });
    shown.textContent = answer.status + ' ' + answer.statusText + '\\n' + pretty(await answer.text());
  } catch (error) {
    shown.textContent = String(error);
  }
};
for (const form of all('form')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}
document.querySelector('#tools').hidden = false;
`;
