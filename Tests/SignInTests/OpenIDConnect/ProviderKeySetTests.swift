import Crypto
import Testing

@testable import SignIn

@Suite("Key sets of identity providers") struct ProviderKeySetTests {
    private let provider = TestProvider()
    private let point = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)

    private func keys(_ members: String...) throws -> ProviderKeySet {
        // One good key beside them, because a set without any is refused.
        try ProviderKeySet(TestProvider.set(members + [#"{"kty":"OKP","crv":"Ed25519","kid":"good","x":"\#(x)"}"#]))
    }

    private var x: String { TestProvider.encode(Array(provider.edDSA.publicKey.rawRepresentation)) }

    @Test func `Keys of the three kinds are found by identifier and algorithm`() throws {
        let keys = try provider.keySet()
        #expect(keys.keys.count == 3)
        #expect(keys.key("ec", .es256)?.id == "ec")
        #expect(keys.key("ed", .edDSA)?.id == "ed")
        #expect(keys.key("rsa", .rs256)?.id == "rsa")
        #expect(keys.key("rsa", .es256) == nil)
        #expect(keys.contains("rsa") && !keys.contains("other"))
    }

    @Test func `Without an identifier there must be one key for the algorithm`() throws {
        let other = TestProvider.ecdsaMember(point, #""kid":"other""#)
        #expect(try keys(other).key(nil, .es256)?.id == "other")
        #expect(try keys(other, provider.members()[0]).key(nil, .es256) == nil)
        #expect(try keys(other).key(nil, .rs256) == nil)
    }

    @Test func `Of two keys with the same identifier none is used`() throws {
        let twice = try keys(provider.members()[0], TestProvider.ecdsaMember(point, #""kid":"ec""#))
        #expect(twice.key("ec", .es256) == nil)
    }

    @Test(arguments: [
        #""use":"enc""#, #""use":1"#, #""use":null"#, #""key_ops":["sign"]"#, #""key_ops":"verify""#,
        #""alg":"ES384""#, #""alg":7"#, #""d":"AAAA""#, #""k":"AAAA""#,
    ])
    func `Keys for other uses, and keys whose private half is published, are ignored`(member: String) throws {
        #expect(try keys(TestProvider.ecdsaMember(point, #""kid":"k",\#(member)"#)).key("k", .es256) == nil)
    }

    @Test func `A key without use and algorithm is taken`() throws {
        #expect(try keys(TestProvider.ecdsaMember(point, #""kid":"k","key_ops":["verify"]"#)).key("k", .es256) != nil)
    }

    @Test func `Points that are not on the curve are ignored`() throws {
        let off = TestProvider.ecdsaMember([UInt8](repeating: 1, count: 64), #""kid":"k""#)
        let short = TestProvider.ecdsaMember([1, 2, 3], #""kid":"k""#)
        #expect(try keys(off, short).keys.map(\.id) == ["good"])
    }

    @Test(arguments: [128, 255, 1025])
    func `RSA keys that are too small or too large are ignored`(bytes: Int) throws {
        let modulus = TestProvider.encode([0, 0xC1] + [UInt8](repeating: 0x11, count: bytes - 1))
        #expect(try keys(#"{"kty":"RSA","kid":"k","n":"\#(modulus)","e":"AQAB"}"#).keys.map(\.id) == ["good"])
    }

    @Test(arguments: [
        #"{}"#, "1", "null", "[]", #""text""#, #"{"kty":"oct","k":"AAAA","kid":"k"}"#, #"{"kty":["EC"]}"#,
        #"{"kty":"EC","crv":"P-384","x":"AAAA","y":"AAAA"}"#, #"{"kty":"OKP","crv":"X25519","x":"AAAA"}"#,
        #"{"kty":"OKP","crv":"Ed25519","x":""}"#, #"{"kty":"RSA","n":"","e":""}"#, #"{"kty":"EC","crv":"P-256"}"#,
    ])
    func `Members of other kinds are ignored`(member: String) throws {
        #expect(try keys(member).keys.map(\.id) == ["good"])
    }

    @Test func `A set of 10,000 keys is refused`() throws {
        let members = [String](repeating: TestProvider.ecdsaMember(point, #""kid":"k""#), count: 10_000)
        #expect(refusal(TestProvider.set(members)).contains("more than 100 keys"))
        #expect(try ProviderKeySet(TestProvider.set(Array(members.prefix(100)))).keys.count == 100)
    }

    @Test(arguments: ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[}"#, "{\"keys\":[]}\u{0}"])
    func `What is no key set is refused`(text: String) {
        #expect(refusal(Array(text.utf8)).contains("not JSON of the expected form"))
    }

    @Test func `A set without a usable key is refused`() {
        #expect(refusal(TestProvider.set([])).contains("no usable key"))
    }

    private func refusal(_ bytes: [UInt8]) -> String {
        do throws(SignInError) {
            _ = try ProviderKeySet(bytes)
            return ""
        } catch {
            return error.what
        }
    }
}
