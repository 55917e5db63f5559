import BeaconModel
import Crypto
import FoundationEssentials
import InteractionStore
import JWTKit
import MatcherCore
import RecordContract

/// Pages of the list of positives, each made and signed once.
actor PositivePages {
    /// A page as it is sent.
    struct Page: Sendable {
        /// A JWT (RFC 7519), so that readers can verify its origin.
        var body: String
        var tag: String
        /// Seconds for which clients can keep the page.
        var maxAge: Int64
    }

    private let store: SharedStore
    private let keys: JWTKeyCollection
    private let fillerKey: SymmetricKey
    nonisolated let publicKeys: [UInt8]
    private var pages: [String: (epoch: Int64, digest: String, page: Page)] = [:]

    private static let keyID = JWKIdentifier(string: "positives-1")

    /// Creates the pages with the store's keys.
    ///
    /// - Throws: `StoreError`.
    init(store: SharedStore) async throws {
        self.store = store
        let (signing, filler) = try store.use {
            (try $0.secret("positives-signing"), try $0.secret("positives-filler"))
        }
        fillerKey = SymmetricKey(data: Array(filler.utf8))
        guard let derived = DerivedSigningKey.p256("positives", secret: signing) else {
            throw StoreError("the store's signing secret is invalid")
        }
        let key = try ES256PrivateKey(backing: derived)
        keys = JWTKeyCollection()
        await keys.add(ecdsa: key, kid: Self.keyID)
        let parameters = key.publicKey.parameters
        publicKeys = JSON.encode(
            KeySet(keys: [
                .init(kid: Self.keyID.string, x: Self.base64URL(parameters?.x), y: Self.base64URL(parameters?.y))
            ]))
    }

    private static func base64URL(_ text: String?) -> String {
        (text ?? "").replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private struct KeySet: Encodable {
        var keys: [Key]

        struct Key: Encodable {
            var kty = "EC"
            var crv = "P-256"
            var alg = "ES256"
            var use = "sig"
            var kid: String
            var x: String
            var y: String
        }
    }

    private struct Index: JWTPayload {
        var iss = "beacon-matcher"
        var iat: Int64
        var epochSeconds: Int64
        var days: [String]
        var schemes: [String]

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private struct Entries: JWTPayload {
        var iss = "beacon-matcher"
        var iat: Int64
        var day: String
        var entries: [String: [String]]

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// Returns the page that lists the available days.
    ///
    /// - Parameter now: seconds since 1970.
    func index(now: Int64) async throws -> Page {
        let epoch = now / PositiveList.epoch
        return try await page("", epoch: epoch, maxAge: remaining(now)) {
            Index(
                iat: epoch * PositiveList.epoch, epochSeconds: PositiveList.epoch,
                days: PositiveList.days(now: now).map(Self.text), schemes: PositiveScheme.allCases.map(\.rawValue))
        }
    }

    /// Returns the page of a day.
    ///
    /// - Parameter text: `YYYY-MM-DD`.
    /// - Returns: `nil` for a day that the list does not have.
    func page(ofDay text: String, now: Int64) async throws -> Page? {
        guard let day = PositiveList.days(now: now).first(where: { Self.text($0) == text }) else { return nil }
        let isOver = day < now / PositiveList.day
        // The entries of a past day stay as they are.
        let time = isOver ? (day + 1) * PositiveList.day : now / PositiveList.epoch * PositiveList.epoch
        return try await page(text, epoch: now / PositiveList.epoch, maxAge: isOver ? 3600 : remaining(now)) {
            var entries: [String: [String]] = [:]
            for scheme in PositiveScheme.allCases {
                let slots = PositiveList.slots(of: scheme, day: day, now: now)
                let published = try store.use { try $0.published(scheme: scheme.rawValue, slots: slots) }
                entries[scheme.rawValue] = PositiveList.entries(
                    of: scheme, slots: slots, published: published, key: fillerKey)
            }
            return Entries(iat: time, day: text, entries: entries)
        }
    }

    private func page(
        _ name: String, epoch: Int64, maxAge: Int64, _ make: () throws -> some JWTPayload
    ) async throws -> Page {
        if var cached = pages[name], cached.epoch == epoch {
            cached.page.maxAge = maxAge
            return cached.page
        }
        let payload = try make()
        let digest = Base64URL.encode(SHA256.hash(data: JSON.encode(payload)).prefix(12))
        if let cached = pages[name], cached.digest == digest {
            pages[name] = (epoch, digest, cached.page)
            return Page(body: cached.page.body, tag: cached.page.tag, maxAge: maxAge)
        }
        let page = Page(
            body: try await keys.sign(payload, kid: Self.keyID), tag: "\"\(digest)\"", maxAge: maxAge)
        // The cache may hold days that are no longer in the list.
        if pages.count > 2 * Int(PositiveList.days) { pages = [:] }
        pages[name] = (epoch, digest, page)
        return page
    }

    private func remaining(_ now: Int64) -> Int64 { PositiveList.epoch - now % PositiveList.epoch }

    private static func text(_ day: Int64) -> String {
        Timestamp(microseconds: day * PositiveList.day * 1_000_000).day
    }
}
