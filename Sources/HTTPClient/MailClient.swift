package import BeaconModel
import SystemIO

/// Client of a mail server (SMTP, RFC 5321), based on libcurl.
///
/// Each message has a connection and a thread of its own while it is sent. TLS certificates are verified against the
/// system's certificate authorities, or against those given to the client.
package struct MailClient: Sendable {
    private let authorities: String?

    /// - Parameter authorities: path of a PEM file with the certificate authorities to trust instead of the system's.
    package init(authorities: String? = nil) { self.authorities = authorities }

    /// Message with its envelope, and the way to the server.
    package struct Delivery: Sendable {
        /// An `smtp` or `smtps` URL.
        package var url: String
        /// Whether nothing is sent before TLS has begun, by STARTTLS where the URL is an `smtp` one.
        package var needsTLS: Bool
        /// Name and password at the server; `nil` for a server that asks for none.
        package var login: (user: String, password: String)?
        /// Address of the sender, to which failures are reported.
        package var sender: String
        package var recipient: String
        /// Header and text with CR and LF after each line.
        package var message: [UInt8]
        /// Time limit for the whole dialogue.
        package var timeout: Duration

        package init(
            url: String, needsTLS: Bool, login: (user: String, password: String)? = nil, sender: String,
            recipient: String, message: [UInt8], timeout: Duration = .seconds(60)
        ) {
            self.url = url
            self.needsTLS = needsTLS
            self.login = login
            self.sender = sender
            self.recipient = recipient
            self.message = message
            self.timeout = timeout
        }
    }

    /// Part of the dialogue.
    package enum Stage: Equatable, Sendable {
        /// Greeting, TLS, sign-in or sender: what all messages have.
        case connection
        /// Recipient, and the size that the message is said to have.
        case envelope
        case content
    }

    /// The reason why a message was not taken. After a failure while the content was sent, it may have been taken.
    package enum Failure: Error, Equatable {
        /// The delivery is invalid and cannot be tried; the associated value names the invalid part.
        case invalidDelivery(String)
        /// The server refused, with its code and its answer.
        case refused(Stage, code: Int, text: String)
        /// The dialogue failed. The value is libcurl's description.
        case failed(String)
        case cancelled
        case outOfMemory
        case system(SystemError)
    }

    /// Sends a message and waits until the server has taken it.
    ///
    /// Cancelling the task ends the dialogue within about a second.
    ///
    /// - Throws: `MailClient.Failure`.
    package func send(_ delivery: Delivery) async throws(Failure) {
        let transfer = try MailTransfer(delivery, authorities: authorities)
        guard let handle = CurlHandle() else { throw .outOfMemory }
        let result: Result<Void, Failure>
        do {
            result = try await withTaskCancellationHandler {
                try await DedicatedThread.run(name: "mail") { transfer.run(on: handle) }
            } onCancel: {
                transfer.cancel()
            }
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .failed("\(error)")
        }
        try result.get()
    }
}

extension MailClient.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidDelivery(let part): "the e-mail has an invalid \(part)"
        case .refused(_, let code, let text): text.isEmpty ? "the mail server answered \(code)" : text
        case .failed(let reason): reason
        case .cancelled: "the e-mail was cancelled"
        case .outOfMemory: "out of memory"
        case .system(let error): "\(error)"
        }
    }
}
