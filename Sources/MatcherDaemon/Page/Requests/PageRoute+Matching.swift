import HTTPTypes
import Hummingbird
import Pages

extension PageRoute {
    /// Returns the route that takes a method on a path, both as in the table.
    static func at(_ path: String, method: HTTPRequest.Method) -> PageRoute? {
        allCases.first { $0.definition.path == path && $0.definition.method == method }
    }

    /// Returns the route whose path matches that of a request, whatever its method.
    static func matching(_ path: String) -> PageRoute? {
        let levels = path.split(separator: "/")
        return allCases.first {
            let expected = RouterPath($0.definition.path)
            return expected.count == levels.count && zip(expected, levels).allSatisfy { $0 ~= $1 }
        }
    }
}
