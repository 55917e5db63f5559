import BeaconModel
import GatewayCore
import Glibc
import HTTPClient
import RecordContract
import SystemIO

/// Asks a running gateway at its local socket.
struct LocalClient: Sendable {
    let path: String
    private let http = HTTPClient()

    /// Maximum size of an answer in bytes.
    private static let longestAnswer = 8 << 20

    /// Finds the socket of a running gateway.
    ///
    /// - Parameters:
    ///   - paths: where it can be, the first choice first; none if the gateway has no local socket.
    ///   - configuration: path of the gateway's configuration, for errors.
    init(paths: [String], configuration: String?) throws(LocalClientError) {
        path = try Self.find(paths, configuration)
    }

    private static func find(_ paths: [String], _ configuration: String?) throws(LocalClientError) -> String {
        guard !paths.isEmpty else { throw .off }
        for path in paths {
            do throws(SystemError) {
                try UnixSocket.probe(path)
                return path
            } catch {
                switch error.errorNumber {
                // Nobody is there, or nobody any more.
                case ENOENT, ECONNREFUSED, ENOTDIR: continue
                // The gateway is there, and busy.
                case EAGAIN: return path
                case EACCES, EPERM: throw .forbidden(SocketOwner(of: path))
                default: throw .unreachable(error)
                }
            }
        }
        throw .notRunning(paths, configuration: configuration)
    }

    func status() async throws -> (document: [UInt8], status: LocalStatus) {
        let bytes = try await send(.status)
        return (bytes, try decode(LocalStatus.self, bytes))
    }

    /// Sends a request.
    ///
    /// - Returns: the answer.
    func ask<Answer: Decodable>(_ request: LocalRequest, for type: Answer.Type) async throws -> Answer {
        try decode(type, try await send(request))
    }

    private func send(_ request: LocalRequest) async throws(LocalClientError) -> [UInt8] {
        let response: HTTPClient.Response
        do throws(HTTPClient.Failure) {
            response = try await http.send(
                HTTPClient.Request(
                    request.method, "http://localhost" + request.path,
                    headers: request.body == nil ? [] : [.init("Content-Type", "application/json")],
                    body: request.body, timeout: request == .status ? .seconds(20) : .seconds(130),
                    limit: Self.longestAnswer, socket: path))
        } catch {
            throw .noAnswer(path, "\(error)")
        }
        if response.status == 200 { return response.body }
        guard let refusal = try? JSON.decode(LocalAnswer.Refusal.self, from: response.body) else {
            throw .noAnswer(path, "status \(response.status)")
        }
        if refusal.error == "forbidden" { throw .forbidden(SocketOwner(of: path)) }
        throw .refused(refusal)
    }

    private func decode<Answer: Decodable>(_ type: Answer.Type, _ bytes: [UInt8]) throws(LocalClientError) -> Answer {
        do {
            return try JSON.decode(type, from: bytes)
        } catch {
            throw .otherVersion(path)
        }
    }
}
