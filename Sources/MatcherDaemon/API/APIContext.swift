import HTTPServing
import Hummingbird
import Matching
import NIOCore
import Pages

/// Context of a request: what the middleware has found out about it.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Address of the connection.
    let address: String
    /// Subjects whose secrets were right.
    let proven = ProvenSubjects()
    /// The account that is signed in on the page.
    let visitor = Visitor()
    /// The client's address; see `ClientAddress`.
    var client = "unknown"
    /// Route of the path, also if the path does not take the method; `nil` if there is nothing there.
    var route: APIRoute?
    /// Route of the page; as `route`.
    var pageRoute: PageRoute?
    /// Subject in the path.
    var subject: SubjectIdentity?
    /// The body, once it is read.
    var body: [UInt8] = []

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = ClientAddress.of(source.channel.remoteAddress)
    }
}
