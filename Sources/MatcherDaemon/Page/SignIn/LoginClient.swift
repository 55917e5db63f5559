import HTTPClient
import Logging
import SignIn

/// Client of the identity provider: fetches what a sign-in needs, within limits of size and time. `SignIn` decides.
actor LoginClient {
    nonisolated let settings: ClientSettings
    private let http: HTTPClient
    nonisolated let logger: Logger
    private var metadata: (provider: ProviderMetadata, fetchedAt: Int64)?
    private var keys = KeySetCache()
    /// Fetches in progress. Sign-ins at the same time wait for them, so that one is enough for all: anybody can begin
    /// to sign in, and a provider that does not answer is not asked by all of them.
    private var fetchingMetadata: Task<ProviderMetadata, any Error>?
    private var fetchingKeys: Task<ProviderKeySet, any Error>?

    /// Number of seconds for which a discovery document is used.
    private static let metadataLifetime: Int64 = 3600
    private static let timeout: Duration = .seconds(5)
    /// Maximum size of an answer, in bytes.
    private static let largest = 1 << 20

    init(_ settings: ClientSettings, http: HTTPClient, logger: Logger) {
        self.settings = settings
        self.http = http
        self.logger = logger
    }

    /// Returns the address to which a browser is sent.
    ///
    /// - Throws: `SignInError`, `HTTPClient.Failure`.
    func authorizationURL(_ attempt: AuthorizationAttempt, now: Int64) async throws -> String {
        attempt.authorizationURL(try await provider(now: now), client: settings)
    }

    /// Returns the discovery document.
    ///
    /// - Throws: `SignInError`, `HTTPClient.Failure`.
    func provider(now: Int64) async throws -> ProviderMetadata {
        if let metadata, (0..<Self.metadataLifetime).contains(now - metadata.fetchedAt) { return metadata.provider }
        if let fetchingMetadata { return try await fetchingMetadata.value }
        let task = Task { try await fetchMetadata(now: now) }
        fetchingMetadata = task
        defer { fetchingMetadata = nil }
        return try await task.value
    }

    private func fetchMetadata(now: Int64) async throws -> ProviderMetadata {
        let answer = try await http.send(
            .init(
                "GET", ProviderMetadata.discoveryURL(of: settings.issuer), timeout: Self.timeout, limit: Self.largest))
        guard answer.status == 200 else {
            throw SignInError.metadata(found: "was answered with status \(answer.status)", allowed: "must be there")
        }
        let provider = try ProviderMetadata(answer.body, issuer: settings.issuer)
        metadata = (provider, now)
        return provider
    }

    /// Returns the address at which the session at the provider ends; `nil` if the provider has none, or is not known
    /// and does not answer.
    func endSessionURL(page: String, now: Int64) async -> String? {
        let provider = try? await provider(now: now)
        return (provider ?? metadata?.provider)?.endSessionURL(clientID: settings.clientID, page: page)
    }

    /// Returns the account of a code.
    ///
    /// - Throws: `SignInError`, `HTTPClient.Failure`.
    func account(code: String, attempt: AuthorizationAttempt, now: Int64) async throws -> Account {
        let provider = try await provider(now: now)
        let request = TokenRequest(code: code, verifier: attempt.verifier, provider: provider, client: settings)
        let answer = try await http.send(
            .init(
                "POST", request.url, headers: request.headers.map { .init($0.name, $0.value) }, body: request.body,
                timeout: Self.timeout, limit: Self.largest))
        let response = try TokenResponse(status: answer.status, body: answer.body)
        do {
            let token = try IDToken(response.idToken)
            let check = IDTokenCheck(
                issuer: settings.issuer, clientID: settings.clientID, nonce: attempt.nonce, now: now)
            let claims = try await claims(of: token, check, provider, now: now)
            return try AccountClaims(claims, client: settings).account(settings.roleRules)
        } catch let error as IDTokenError {
            throw SignInError.token(error)
        }
    }

    /// Returns the claims of a token, verified.
    private func claims(
        of token: IDToken, _ check: IDTokenCheck, _ provider: ProviderMetadata, now: Int64
    ) async throws -> IDTokenClaims {
        let set = try await keySet(
            by: keys.decision(token.keyID, now: now), orThrow: .unknownKey(token.keyID), provider, now: now)
        let refusal: IDTokenError
        do throws(IDTokenError) {
            return try check.verify(token, keys: set)
        } catch {
            refusal = error
        }
        switch refusal {
        case .badSignature, .unknownKey: break
        default: throw refusal
        }
        // The provider may have replaced a key by another of the same name, or its keys have no names.
        let newer = try await keySet(
            by: keys.renewal(of: set, now: now), orThrow: refusal, provider, now: now)
        guard newer != set else { throw refusal }
        return try check.verify(token, keys: newer)
    }

    /// Returns the keys that a decision leads to.
    ///
    /// - Parameter refusal: thrown if keys were fetched a moment ago, and do not help.
    private func keySet(
        by decision: KeySetCache.Decision, orThrow refusal: IDTokenError, _ provider: ProviderMetadata, now: Int64
    ) async throws -> ProviderKeySet {
        switch decision {
        case .use(let keys): return keys
        case .refuse:
            if let fetchingKeys { return try await fetchingKeys.value }
            throw refusal
        case .wait:
            if let fetchingKeys { return try await fetchingKeys.value }
            throw SignInError.keySet(found: "could not be fetched a moment ago", allowed: "must be there")
        case .fetch:
            keys.willFetch(now: now)
            let task = Task { try await fetchKeys(provider, now: now) }
            fetchingKeys = task
            defer { fetchingKeys = nil }
            return try await task.value
        }
    }

    private func fetchKeys(_ provider: ProviderMetadata, now: Int64) async throws -> ProviderKeySet {
        let answer = try await http.send(
            .init("GET", provider.keySetEndpoint.text, timeout: Self.timeout, limit: Self.largest))
        guard answer.status == 200 else {
            throw SignInError.keySet(found: "was answered with status \(answer.status)", allowed: "must be there")
        }
        let set = try ProviderKeySet(answer.body)
        keys.keep(set, cacheControl: answer["Cache-Control"], now: now)
        logger.info("keys of the identity provider fetched")
        return set
    }
}
