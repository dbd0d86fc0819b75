// Before the program starts: where it finds its models, in which language it speaks, and its work of the last time.
Module.preRun = [].concat(Module.preRun || [], () => {
  ENV.HEADSCOPE_MODELS = '/usr/share/headscope/models';
  FS.mkdirTree('/var/cache/fontconfig');
  Object.assign(ENV, globalThis.headscopeEnvironment);  // of tests
  if (ENVIRONMENT_IS_NODE) return;
  // What is written there is downloaded.
  ENV.HOME = '/downloads';
  ENV.XDG_CONFIG_HOME = '/kept/config';
  ENV.XDG_STATE_HOME = '/kept/state';
  ENV.LANG = /^zh/i.test(navigator.language) ? 'zh_CN.UTF-8' : 'en_US.UTF-8';
  for (const folder of ['/kept', '/files', '/downloads']) FS.mkdirTree(folder);
  FS.chdir('/downloads');
  FS.mount(IDBFS, {autoPersist: true}, '/kept');
  addRunDependency('kept work');
  FS.syncfs(true, async (error) => {
    if (error) {  // by a browser that forbids it, or if what it has kept is damaged
      console.warn('work is not kept: ' + error);
      page.warnings.push(1);
    }
    // A link to what somebody else saw comes before it.
    try {
      const packed = /^#s=(.+)/.exec(location.hash);
      if (packed) {
        const text = atob(packed[1].replaceAll('-', '+').replaceAll('_', '/'));
        const bytes = new Blob([Uint8Array.from(text, (character) => character.charCodeAt(0))]);
        const whole = await new Response(bytes.stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer();
        JSON.parse(new TextDecoder().decode(whole));
        FS.mkdirTree('/kept/state/headscope');
        FS.writeFile('/kept/state/headscope/autosave-link.json', new Uint8Array(whole));
      }
    } catch (failure) {
      console.warn('the link is damaged: ' + failure);
      page.warnings.push(0);
    }
    removeRunDependency('kept work');
  });
});
