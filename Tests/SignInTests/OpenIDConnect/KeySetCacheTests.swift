import Testing

@testable import SignIn

@Suite("Cache of the key set") struct KeySetCacheTests {
    private let provider = TestProvider()
    private let now = TestProvider.now

    private func filled(_ cacheControl: String? = nil) throws -> (KeySetCache, ProviderKeySet) {
        var cache = KeySetCache()
        let keys = try provider.keySet()
        cache.willFetch(now: now)
        cache.keep(keys, cacheControl: cacheControl, now: now)
        return (cache, keys)
    }

    @Test func `A set is used for an hour`() throws {
        let (cache, keys) = try filled()
        #expect(cache.decision("ec", now: now) == .use(keys))
        #expect(cache.decision(nil, now: now + 3599) == .use(keys))
        #expect(cache.decision("ec", now: now + 3600) == .fetch)
    }

    @Test func `A set is fetched again for an unknown key, at most once a minute`() throws {
        var (cache, keys) = try filled()
        #expect(cache.decision("new", now: now) == .fetch)
        cache.willFetch(now: now)
        #expect(cache.decision("new", now: now) == .refuse)
        #expect(cache.decision("newer", now: now + 59) == .refuse)
        #expect(cache.decision("newer", now: now + 60) == .fetch)
        #expect(cache.decision("ec", now: now + 59) == .use(keys))
        keys = try TestProvider().keySet()
        cache.keep(keys, cacheControl: nil, now: now + 1)
        #expect(cache.decision("ec", now: now + 2) == .use(keys))
    }

    @Test func `A fetch that failed is repeated after a moment`() {
        var cache = KeySetCache()
        #expect(cache.decision("ec", now: now) == .fetch)
        cache.willFetch(now: now)
        #expect(cache.decision("ec", now: now + 4) == .wait)
        #expect(cache.decision("ec", now: now + 5) == .fetch)
    }

    @Test func `A set whose key did not sign a token is fetched again, at most once a minute`() throws {
        var (cache, keys) = try filled()
        #expect(cache.renewal(of: keys, now: now) == .fetch)
        cache.willFetch(now: now)
        #expect(cache.renewal(of: keys, now: now + 59) == .refuse)
        #expect(cache.decision("new", now: now + 59) == .refuse)
        #expect(cache.renewal(of: keys, now: now + 60) == .fetch)
        let newer = try TestProvider().keySet()
        cache.keep(newer, cacheControl: nil, now: now + 1)
        #expect(cache.renewal(of: keys, now: now + 2) == .use(newer))
        #expect(cache.renewal(of: newer, now: now + 2) == .refuse)
        keys = newer
        #expect(cache.renewal(of: keys, now: now + 3601) == .fetch)
    }

    @Test func `A clock that was set back does not keep an old set`() throws {
        let (cache, _) = try filled()
        #expect(cache.decision("ec", now: now - 86_400) == .fetch)
    }

    @Test(
        arguments: [
            (nil, 3600), ("", 3600), ("max-age=600", 600), ("public, Max-Age=7200,must-revalidate", 7200),
            ("max-age=0", 300), ("no-store", 300), ("no-cache, max-age=7200", 300), ("max-age=31536000", 86_400),
            ("max-age=99999999999999999999", 86_400), ("max-age=-1", 3600), ("max-age=", 3600), ("s-maxage=600", 3600),
        ] as [(String?, Int64)])
    func `The provider says for how long, within bounds`(field: String?, seconds: Int64) {
        #expect(KeySetCache.lifetime(field) == seconds)
    }
}
