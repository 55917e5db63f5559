import HTTPTypes
package import HummingbirdCore

extension Response {
    /// The response, with the connection closed after it. Otherwise the server would read on as long as the client
    /// sends.
    package var endingConnection: Response {
        let body = body
        var ending = Response(
            status: status, headers: headers,
            body: .init { writer in
                try await body.write(writer)
                throw ConnectionEnded()
            })
        ending.headers[.connection] = "close"
        return ending
    }
}

private struct ConnectionEnded: Error {}
