import BeaconModel
import Crypto
import HTTPClient
import Logging
import MatcherCore
import Matching
import OperatorText
import RecordContract
import SystemIO

/// Delivers exposures to another program by POST. A delivery is repeated until it succeeds.
struct Webhook: Sendable {
    var address: String
    var key: [UInt8]
    var client: HTTPClient
    /// Returns the present time, in seconds since 1970.
    var now: @Sendable () -> Int64 = { WallClock.now().microseconds / 1_000_000 }
    var logger: Logger

    private static let patience: Duration = .seconds(10)

    /// Delivers a notice.
    func deliver(_ content: NoticeContent, of subject: SubjectIdentity) async -> WebhookAnswer {
        let body = JSON.encode(Delivery(notice: NoticeDocument(content), subject: .init(subject)))
        let request = HTTPClient.Request(
            "POST", address,
            headers: [
                .init("Content-Type", "application/json"), .init("User-Agent", "beacon-matcher"),
                .init("Beacon-Signature", Self.signature(body, at: now(), key: key)),
            ],
            body: body, timeout: Self.patience, ignoresContent: true)
        do {
            let status = try await client.send(request).status
            if (200..<300).contains(status) { return .taken }
            logger.warning("notice rejected by the webhook", metadata: ["status": "\(status)"])
            // These statuses concern the client or its rate, and therefore all notices (RFC 9110, section 15.5; RFC
            // 6585, section 4).
            return (400..<500).contains(status) && ![401, 403, 407, 429].contains(status) ? .refused : .unavailable
        } catch {
            logger.warning("webhook unreachable", metadata: ["because": "\(error)"])
        }
        return .unavailable
    }

    /// Returns the signature of a request: `t=` and the time, `v1=` and the HMAC-SHA256 of the time, a full stop and
    /// the body, in hexadecimal. A replayed request cannot get another time.
    ///
    /// - Parameter time: seconds since 1970.
    static func signature(_ body: [UInt8], at time: Int64, key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(time).".utf8) + body, using: SymmetricKey(data: key))
        return "t=\(time),v1=\(HexadecimalText.of(code))"
    }

    /// Body of a request.
    struct Delivery: Encodable {
        var notice: NoticeDocument
        var subject: ExposureDocument.Subject
    }
}
