import HTTPTypes
import Hummingbird
import NIOCore

/// The context of a request: who sent it.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Of the connection.
    var address: String

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}

/// Whose request it is, for the budget.
enum ClientAddress {
    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    /// - Parameter isBehindProxy: the last address of `X-Forwarded-For` is what the proxy saw; those before it anybody could
    ///   have written.
    static func of(_ request: Request, connection: String, isBehindProxy: Bool) -> String {
        guard isBehindProxy, let name = forwardedFor, let field = request.headers[values: name].last,
            let last = field.split(separator: ",").last
        else { return connection }
        let address = last.drop { $0 == " " }.prefix { $0 != " " }.prefix(64)
        return address.isEmpty ? connection : String(address)
    }
}
