/// The provider's key set between sign-ins: when to use it, and when to fetch it anew. It does not fetch.
package struct KeySetCache: Sendable {
    private var keys: ProviderKeySet?
    /// Start of validity and its end, in seconds since 1970.
    private var validity: Range<Int64> = 0..<0
    private var lastFetch: Int64?
    /// Time of the last fetch although there was a valid set.
    private var lastRenewal: Int64?

    package enum Decision: Equatable, Sendable {
        case use(ProviderKeySet)
        /// Fetch the set, after `willFetch(now:)`; then decide again.
        case fetch
        /// The set was fetched a moment ago, and cannot help.
        case refuse
        /// There is no set, and it could not be fetched a moment ago.
        case wait
    }

    /// Seconds between two fetches for tokens whose key the set does not have, so that forged tokens do not cause more.
    /// The first one can follow any other fetch: a provider may have changed its keys since.
    static let unknownKeyPause: Int64 = 60
    /// Seconds between two fetches when there is no valid set.
    static let failurePause: Int64 = 5

    package init() {}

    /// Returns what to do for a token.
    ///
    /// - Parameters:
    ///   - id: `kid` of the token, if it has one.
    ///   - now: seconds since 1970.
    package func decision(_ id: String?, now: Int64) -> Decision {
        guard let keys, validity.contains(now) else {
            return hasPassed(Self.failurePause, lastFetch, now) ? .fetch : .wait
        }
        guard let id, !keys.contains(id) else { return .use(keys) }
        return hasPassed(Self.unknownKeyPause, lastRenewal, now) ? .fetch : .refuse
    }

    /// Returns what to do for a token that no key of a set signed: the provider may have another key under the same
    /// `kid`, or keys without one.
    ///
    /// - Parameters:
    ///   - tried: the set with which the token was tried.
    ///   - now: seconds since 1970.
    package func renewal(of tried: ProviderKeySet, now: Int64) -> Decision {
        guard let keys, validity.contains(now) else { return decision(nil, now: now) }
        // Another sign-in has renewed it meanwhile.
        guard keys == tried else { return .use(keys) }
        return hasPassed(Self.unknownKeyPause, lastRenewal, now) ? .fetch : .refuse
    }

    /// Notes that a fetch starts, whether or not it will succeed.
    package mutating func willFetch(now: Int64) {
        if keys != nil, validity.contains(now) { lastRenewal = now }
        lastFetch = now
    }

    /// Keeps a set that was fetched.
    ///
    /// - Parameter cacheControl: the field `Cache-Control` of the response.
    package mutating func keep(_ keys: ProviderKeySet, cacheControl: String?, now: Int64) {
        self.keys = keys
        validity = now..<now + Self.lifetime(cacheControl)
    }

    /// Returns for how many seconds a set is used: its `max-age`, within 5 minutes and 24 hours.
    static func lifetime(_ cacheControl: String?) -> Int64 {
        let (shortest, longest, usual): (Int64, Int64, Int64) = (300, 86_400, 3600)
        var lifetime = usual
        for directive in (cacheControl ?? "").prefix(1024).lowercased().split(whereSeparator: { ", \t".contains($0) }) {
            if directive == "no-store" || directive == "no-cache" { return shortest }
            guard directive.hasPrefix("max-age=") else { continue }
            let digits = directive.dropFirst("max-age=".count)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            // Digits that no number holds are a long time.
            lifetime = min(max(Int64(digits) ?? longest, shortest), longest)
        }
        return lifetime
    }

    /// Whether a fetch is that long ago. One in the future is of a clock that was set back.
    private func hasPassed(_ pause: Int64, _ fetch: Int64?, _ now: Int64) -> Bool {
        guard let fetch else { return true }
        return now < fetch || now >= fetch + pause
    }
}
