/**
 * The text of a web page, as far as a model needs it: without scripts, styles and tags. Every step takes time linear in
 * the page: it comes from anywhere.
 */
const hidden = ['script', 'style', 'noscript', 'template', 'svg', 'head'] as const;

/** Takes out each `<name …>` up to its end; what is not ended is taken out to the end of the page. */
const withoutElement = (html: string, name: string): string => {
  const begin = new RegExp(`<${name}(?=[\\s/>])`, 'gi');
  const end = new RegExp(`</${name}(?=[\\s/>])[^<>]*>`, 'gi');
  let text = '';
  let at = 0;
  for (let found = begin.exec(html); found; found = begin.exec(html)) {
    text += `${html.slice(at, found.index)} `;
    end.lastIndex = found.index;
    if (!end.exec(html)) return text;
    at = end.lastIndex;
    begin.lastIndex = at;
  }
  return text + html.slice(at);
};

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', hellip: '…', middot: '·', bull: '•' },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', euro: '€', pound: '£', deg: '°' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', ntilde: 'ñ' },
};

const decodeEntity = (whole: string, name: string): string => {
  if (!name.startsWith('#')) return entities[name] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : whole;
};

/** The title, then the text, with a line for each block. */
export const htmlText = (html: string): string => {
  const title = /<title[^>]{0,200}>([^<]{0,1000})/i.exec(html)?.[1] ?? '';
  const open = html.split('<!--').map((part, index) => (index === 0 ? part : part.slice(part.indexOf('-->') < 0 ? part.length : part.indexOf('-->') + 3)));
  const body = hidden.reduce(withoutElement, open.join(' '));
  const text = body
    .replace(/<(?:\/?(?:p|div|section|article|header|footer|main|nav|ul|ol|table|tr|h[1-6]|blockquote|pre|form)|br|hr|li)(?=[\s/>])[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z!?][^<>]*>/gi, ' ');
  const lines = `${title}\n${text}`
    .replace(/&(#?[a-z0-9]{1,32});/gi, decodeEntity)
    .split('\n')
    .map((line) => line.split(/\s+/).filter(Boolean).join(' '))
    .filter(Boolean);
  return lines.join('\n');
};
