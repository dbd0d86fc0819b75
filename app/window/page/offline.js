// Of a page in parts: keeps them for when there is no network. What is named by its content never changes.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  const answer = async () => {
    const kept = await caches.open('headscope');
    const same = await kept.match(event.request, {ignoreSearch: true});
    if (same && /-[0-9a-f]{12}\./.test(event.request.url)) return same;
    try {
      const fresh = await fetch(event.request);
      if (fresh.ok) kept.put(event.request, fresh.clone());
      return fresh;
    } catch (failure) {
      if (same) return same;
      throw failure;
    }
  };
  event.respondWith(answer());
});
