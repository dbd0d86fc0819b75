// What core/system/fibers_browser.cpp needs of the browser.
addToLibrary({
  $turns: {
    channel: null,
    waiting: [],
    // In the next task, so that the browser can draw and report events before it; a timer would be later.
    soon: (task) => {
      if (!turns.channel) {
        turns.channel = new MessageChannel();
        turns.channel.port1.onmessage = () => turns.waiting.shift()();
      }
      turns.waiting.push(task);
      turns.channel.port2.postMessage(0);
    },
    // Of a function of the program that may be suspended: it returns a promise.
    suspendable: (pointer) => {
      const call = WebAssembly.promising(wasmTable.get(pointer));
      return (argument) => call(argument).catch(reportError);
    },
  },

  page_can_suspend: () => (WebAssembly.promising ? 1 : 0),
  page_call_soon__deps: ['$turns'],
  page_call_soon: (run, fiber) => turns.soon(() => turns.suspendable(run)(fiber)),
  page_suspend__deps: ['$turns'],
  page_suspend: '=WebAssembly.Suspending ? new WebAssembly.Suspending(() => new Promise(turns.soon)) : () => {}',
});
