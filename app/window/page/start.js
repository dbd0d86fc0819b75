// Before the program starts: where it finds its models, in which language it speaks, and its work of the last time.
Module.preRun = [].concat(Module.preRun || [], () => {
  ENV.HEADSCOPE_MODELS = '/usr/share/headscope/models';
  ENV.ICU_DATA = '/usr/share/icu';
  FS.mkdirTree('/var/cache/fontconfig');
  for (const pack of Module.packs || []) packs.unpack(pack);
  for (const later of Module.laterPacks || []) if (!later.fonts) packs.announce(later);
  Object.assign(ENV, globalThis.headscopeEnvironment);  // of tests
  if (ENVIRONMENT_IS_NODE) return;
  // What is written there is downloaded.
  ENV.HOME = '/downloads';
  ENV.XDG_CONFIG_HOME = '/kept/config';
  ENV.XDG_STATE_HOME = '/kept/state';
  ENV.LANG = /^zh/i.test(navigator.language) ? 'zh_CN.UTF-8' : 'en_US.UTF-8';
  for (const folder of ['/kept', '/files', '/downloads']) FS.mkdirTree(folder);
  FS.chdir('/downloads');
  addRunDependency('kept work');
  store.start().catch((failure) => {
    console.warn('kept work: ' + failure);
    page.warn('work not kept');
  }).finally(() => removeRunDependency('kept work'));
});
