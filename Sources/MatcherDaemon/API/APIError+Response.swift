import HTTPTypes
import Hummingbird
import MatcherCore
import NIOCore
import RecordContract

extension APIError: HTTPResponseError {
    /// Returns the answer to a refused request. An answer to HEAD has the same header and no body (RFC 9110, section
    /// 9.3.2): clients would take a body for the beginning of the next answer.
    func response(from request: Request, context: some RequestContext) -> Response {
        var headers = HTTPFields.ofAnswer
        headers[.contentType] = "application/problem+json"
        if let seconds = retryAfter { headers[.retryAfter] = "\(seconds)" }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if status == .methodNotAllowed, let allowed { headers[.allow] = allowed }
        let response = Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: document)))
        return request.method == .head ? response.createHeadResponse() : response
    }
}
