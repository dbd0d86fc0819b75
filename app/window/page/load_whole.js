// All that the program needs is packed in this file, which asks for no other.
async function unpacked(id) {
  const element = document.getElementById(id), text = element.textContent;
  element.remove();
  const bytes = Uint8Array.fromBase64 ? new Response(Uint8Array.fromBase64(text))
                                      : await fetch('data:application/gzip;base64,' + text);
  const whole = bytes.body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}
async function load() {
  const packs = ['first', 'fonts', 'dictionaries', 'models'].map(unpacked);
  return {
    code: document.getElementById('code').textContent,
    wasm: await unpacked('program'), packs: await Promise.all(packs), laterPacks: [], onAll: () => {},
  };
}
