import AsyncHTTPClient
import Crypto
import InteractionStore
import Logging
import MQTTBridge
import Matching
import NIOCore
import NIOHTTP1
import OperatorText

/// Tells another program of exposures, by POST. It is told again until it answers with success.
struct Webhook: Sendable {
    var address: String
    var key: [UInt8]
    var client: HTTPClient
    var logger: Logger

    private static let patience: TimeAmount = .seconds(10)

    /// - Returns: whether it took the notice.
    func deliver(_ notice: InteractionStore.Notice) async -> Bool {
        let body = Self.body(notice)
        var request = HTTPClientRequest(url: address)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Beacon-Signature", value: Self.signature(body, key: key))
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await client.execute(request, timeout: Self.patience)
            if (200..<300).contains(response.status.code) { return true }
            logger.warning("the webhook doesn't take a notice", metadata: ["status": "\(response.status.code)"])
        } catch {
            logger.warning("can't reach the webhook", metadata: ["because": "\(error)"])
        }
        return false
    }

    /// `sha256=` and the HMAC-SHA256 of the body in hexadecimal.
    static func signature(_ body: [UInt8], key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: body, using: SymmetricKey(data: key))
        return "sha256=" + HexadecimalText.of(code)
    }

    static func body(_ notice: InteractionStore.Notice) -> [UInt8] {
        let subject = String(
            decoding: JSON.encode(ExposureDocument.Subject(notice.subject)), as: UTF8.self)
        return Array(#"{"notice":\#(notice.content),"subject":\#(subject)}"#.utf8)
    }
}
