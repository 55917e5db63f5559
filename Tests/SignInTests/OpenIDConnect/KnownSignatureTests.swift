import Testing

@testable import SignIn

@Suite("Signatures that others made") struct KnownSignatureTests {
    private func isVerified(_ member: String, _ token: String) throws -> Bool {
        let keys = try ProviderKeySet(TestProvider.set([member]))
        let parts = try IDToken(token)
        let key = try #require(keys.key(nil, parts.algorithm))
        var changed = parts.signature
        changed[0] ^= 1
        #expect(!key.isSignature(changed, of: parts.input))
        #expect(!key.isSignature(parts.signature, of: parts.input + [0]))
        #expect(!key.isSignature([], of: parts.input))
        return key.isSignature(parts.signature, of: parts.input)
    }

    // RFC 7515, appendix A.3.
    @Test func `ES256 is verified as in the standard`() throws {
        let key =
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
            + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
        let token =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
            + "Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        #expect(try isVerified(key, token))
    }

    // RFC 8037, appendix A.4.
    @Test func `EdDSA is verified as in the standard`() throws {
        let key = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
        let token =
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
            + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        #expect(try isVerified(key, token))
    }

    @Test func `RS256 is verified as OpenSSL signs it`() throws {
        #expect(
            try isVerified(
                #"{"kty":"RSA","n":"\#(Self.modulus)","e":"AQAB"}"#,
                "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UifQ.\(Self.signature)"))
    }

    private static let modulus =
        "zLRz0jhlTKoubpMIE_Qr8ZBGFrPfggK3Ts3Oj98ryV5HGgUmUf2FCj0UzR36VatKs2irSuAMB_id_Y16fXaMOlbsLi8wmrLdi4Vd"
        + "2aWNflLck7vGOk8n6tloi2hRVWjmHJ0yA3uTx3i5pwl1TdDoQuBtZMhz2Kaq51noXorwJAZiSuE64d3WnD8BwLl0g8T-b1PYxKwE"
        + "JgktP6yzajLz7KDq5fBNRP8fVBzdE58BCf7mUlZQ9v7hF9DmFz8Wtrfk6qArB79RcFvF8ZzwhsrxfPs21Kod9_mjcBeT9tJb8NBl"
        + "uodJu8wjYYVqN4JO5dxAy5s73FUtFNc3DlxjPlk8bw"
    private static let signature =
        "BRt3XEtWcPyBFdp-MVZu5YpHc_s3z6hrap7H7UoaSZu96JwbithU9QQvtdUINi7yUWc_qR67Btd80OXRHYTTWDuPOHyIg7vnrA8J"
        + "uq1Od6zh1Z78b5Nd8eKjdbjzI-sBCuVg97eND6tWHS5to6lYoUpuFz0_3hTtZnNzGEDDx9baL1Cn3XPrYQHJhWTnE2o-wd_-zL5-"
        + "hbvhYsyRTgXRPpoJzoq_PCXO3qP-yKkBZcPhRdxI8v1Z-G-K3Hu1p-3ck-1_RCsETCx2xlr4HlAz6hgiHIw7pePitas3YSRE5pdN"
        + "AGm4Jb3Kba9vjOkt6yXHsU5TXt4PWq2oWxRVLO9YWg"
}
