import Hummingbird
import Matching
import NIOCore

/// Context of a request: what the middleware has found out about it.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Address of the connection.
    let address: String
    /// Subjects whose secrets were right.
    let proven = ProvenSubjects()
    /// The client's address; see `ClientAddress`.
    var client = "unknown"
    /// Route of the path, also if the path does not take the method; `nil` if there is nothing there.
    var route: APIRoute?
    /// Subject in the path.
    var subject: SubjectIdentity?
    /// The body, once it is read.
    var body: [UInt8] = []

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}
