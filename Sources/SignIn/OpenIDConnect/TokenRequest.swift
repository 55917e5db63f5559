import OperatorText

import struct FoundationEssentials.Data

/// Request for the ID token of a code (RFC 6749, section 4.1.3): a POST to the token endpoint.
package struct TokenRequest: Equatable, Sendable {
    package var url: String
    /// Header fields in order.
    package var headers: [Header]
    /// Content, a form.
    package var body: [UInt8]

    package struct Header: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    package init(code: String, verifier: String, provider: ProviderMetadata, client: ClientSettings) {
        url = provider.tokenEndpoint.text
        headers = [
            Header(name: "Accept", value: "application/json"),
            Header(name: "Content-Type", value: "application/x-www-form-urlencoded"),
        ]
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", client.redirectURI),
            ("code_verifier", verifier),
        ]
        switch provider.authentication {
        case .basic:
            // Both are encoded like fields of a form before they are joined (RFC 6749, section 2.3.1).
            let pair = "\(PercentText.encode(client.clientID)):\(PercentText.encode(client.clientSecret))"
            headers.append(Header(name: "Authorization", value: "Basic \(Data(pair.utf8).base64EncodedString())"))
        case .post:
            fields += [("client_id", client.clientID), ("client_secret", client.clientSecret)]
        }
        body = Array(FormText.encode(fields).utf8)
    }
}

/// Descriptions without code and secret.
extension TokenRequest: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "POST \(url)" }
    package var debugDescription: String { description }
}
