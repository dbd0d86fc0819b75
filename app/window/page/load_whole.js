// All that the program needs is packed in this file, which asks for no other. Each part is unpacked as soon as the browser
// has read it, by a thread of its own while the browser reads on.
async function inflated(text) {
  const bytes = Uint8Array.fromBase64 ? new Response(Uint8Array.fromBase64(text))
                                      : await fetch('data:application/gzip;base64,' + text);
  return new Response(bytes.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
const unpacker = (() => {
  try {
    return new Worker(URL.createObjectURL(new Blob([`${inflated}
      onmessage = async ({data: {id, text}}) => {
        const buffer = await inflated(text).catch(() => null);
        postMessage({id, buffer}, buffer ? [buffer] : []);
      };`], {type: 'text/javascript'})));
  } catch (failure) {  // a browser may not allow it
    return null;
  }
})();
const parts = {}, given = {};
function unpack(id) {
  const element = document.getElementById(id), text = element.textContent;
  element.remove();
  const thread = unpacker && new Promise((done) => {
    given[id] = done;
    unpacker.postMessage({id, text});
  });
  parts[id] = Promise.resolve(thread).then(async (buffer) => new Uint8Array(buffer || await inflated(text)));
  parts[id].catch(() => {});  // load() says so
}
if (unpacker) {
  unpacker.onmessage = ({data: {id, buffer}}) => given[id](buffer);
  unpacker.onerror = () => Object.values(given).forEach((done) => done(null));
}
async function load() {
  const names = ['program', 'first', 'fonts', 'dictionaries', 'models'], missing = names.find((name) => !parts[name]);
  if (missing) throw new Error('the file ends before ' + missing);
  const [wasm, ...packs] = await Promise.all(names.map((name) => parts[name]));
  return {
    code: document.getElementById('code').textContent, wasm, packs, laterPacks: [], onAll: () => unpacker?.terminate(),
  };
}
