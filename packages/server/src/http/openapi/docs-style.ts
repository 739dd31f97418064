/** How the page of the API looks. */
export const docsStyle = `
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif;--line:#8884;--soft:#8881}
body{margin:0 auto;max-width:64rem;padding:1.5rem}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{overflow:auto;padding:.75rem;border:1px solid var(--line);border-radius:6px;background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere}
pre i{opacity:.65}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:.5rem .75rem;scroll-margin-top:4.5rem}
details[open]>summary{margin-bottom:.5rem}
summary{cursor:pointer}
table{border-collapse:collapse;width:100%}
td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-top:1px solid var(--line)}
td p{margin:0}
h2{scroll-margin-top:4.5rem;text-transform:capitalize}
.method{display:inline-block;min-width:4.5rem;font-weight:600}
.get{color:light-dark(#1a6,#4c9)}.post,.put,.patch{color:light-dark(#15b,#7af)}.delete{color:light-dark(#b22,#f77)}
.link{float:right;text-decoration:none;opacity:.5}
.type{margin:.5rem 0 .25rem;opacity:.7}
nav a{display:inline-block;margin-right:1rem}
#tools{position:sticky;top:0;padding:.75rem 0;background:Canvas;border-bottom:1px solid var(--line);z-index:1}
#tools[hidden],form[hidden]{display:none}
label{display:inline-block;margin:0 1rem .5rem 0}
input{font:inherit;padding:.25rem .5rem;border:1px solid var(--line);border-radius:6px}
button{font:inherit;padding:.25rem .9rem;border:1px solid var(--line);border-radius:6px;cursor:pointer}
form pre:not(:has(output:not(:empty))){display:none}
`;
