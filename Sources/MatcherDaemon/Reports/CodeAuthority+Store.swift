import InteractionStore
import MatcherCore

extension CodeAuthority {
    /// Names of the store's secrets under which codes are kept, and from which the signing key follows.
    static let hashingSecret = "codes"
    private static let signingSecret = "codes-key"

    /// Creates the authority with the store's secrets.
    ///
    /// - Throws: `StoreError`.
    init(store: SharedStore) async throws {
        let (signing, hashing) = try store.use {
            (try $0.secret(CodeAuthority.signingSecret), try $0.secret(CodeAuthority.hashingSecret))
        }
        guard let authority = await CodeAuthority(signing: signing, hashing: hashing) else {
            throw StoreError("the store's secret for verification codes is invalid")
        }
        self = authority
    }
}

extension ReportVerifier {
    /// Creates the verifier of the configured authorities and of the matcher's own.
    init(_ settings: ReportSettings, codes: CodeAuthority) async {
        await self.init(authorities: settings.authorities + [codes.authority], audience: settings.audience)
    }
}
