import CCurl
import SystemIO

/// A message that is being sent.
struct MailTransfer: Sendable {
    private let delivery: MailClient.Delivery
    private let authorities: String?
    private let isCancelled = LockedValue(false)

    /// Checks and stores a delivery.
    ///
    /// - Throws: `invalidDelivery` when a part of it could become a command of its own.
    init(_ delivery: MailClient.Delivery, authorities: String?) throws(MailClient.Failure) {
        let isLine = { (text: String) in text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
        guard isLine(delivery.url) else { throw .invalidDelivery("URL") }
        for (part, address) in [("sender", delivery.sender), ("recipient", delivery.recipient)] {
            guard !address.isEmpty, isLine(address), !address.utf8.contains(where: { "<>,\"".utf8.contains($0) })
            else { throw .invalidDelivery(part) }
        }
        self.delivery = delivery
        self.authorities = authorities
    }

    /// Cancels the transfer. Safe to call from any thread.
    func cancel() { isCancelled.withLock { $0 = true } }

    /// Performs the transfer. Blocks until the server has taken the message, or has not.
    func run(on handle: CurlHandle) -> Result<Void, MailClient.Failure> {
        let curl = handle.pointer
        // The handle must not keep pointers to objects that end with this function.
        defer { curl_easy_reset(curl) }
        let dialogue = MailDialogue(delivery.message, isCancelled: isCancelled)
        guard dialogue.goesOn else { return .failure(.cancelled) }
        guard let recipients = curl_slist_append(nil, "<\(delivery.recipient)>") else { return .failure(.outOfMemory) }
        defer { curl_slist_free_all(recipients) }
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = withExtendedLifetime(dialogue) {
            reason.withUnsafeMutableBufferPointer { reason in
                var options = CurlOptions(curl)
                configure(&options, recipients, reason.baseAddress, dialogue)
                return options.refusal ?? curl_easy_perform(curl)
            }
        }
        guard code != CURLE_OK else { return .success(()) }
        return .failure(failure(code, status: beacon_curl_status(curl), reason, dialogue))
    }

    private func configure(
        _ options: inout CurlOptions, _ recipients: UnsafeMutablePointer<curl_slist>,
        _ reason: UnsafeMutablePointer<CChar>?, _ dialogue: MailDialogue
    ) {
        options.setWay(
            to: delivery.url, by: "smtp,smtps", authorities: authorities, timeout: delivery.timeout, reason: reason)
        // Without the extension STARTTLS, or with a certificate that is not valid, the dialogue ends before the
        // password is sent.
        options.set(CURLOPT_USE_SSL, Int((delivery.needsTLS ? CURLUSESSL_ALL : CURLUSESSL_NONE).rawValue))
        if let login = delivery.login {
            options.set(CURLOPT_USERNAME, login.user)
            options.set(CURLOPT_PASSWORD, login.password)
        }
        options.set(CURLOPT_MAIL_FROM, "<\(delivery.sender)>")
        options.set(CURLOPT_MAIL_RCPT, UnsafeRawPointer(recipients))
        options.set(CURLOPT_UPLOAD, 1)
        options.set(CURLOPT_INFILESIZE_LARGE, size: delivery.message.count)
        let context = UnsafeRawPointer(Unmanaged.passUnretained(dialogue).toOpaque())
        options.set(CURLOPT_READDATA, context)
        options.set(CURLOPT_READFUNCTION) { bytes, size, count, context in
            MailDialogue.from(context)?.give(bytes, size * count) ?? 0
        }
        options.set(CURLOPT_HEADERDATA, context)
        options.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            MailDialogue.from(context)?.take(bytes, size * count) ?? 0
        }
        options.set(CURLOPT_WRITEDATA, context)
        options.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            MailDialogue.from(context)?.take(bytes, size * count) ?? 0
        }
        options.set(CURLOPT_NOPROGRESS, 0)
        options.set(CURLOPT_XFERINFODATA, context)
        options.setProgress { context, _, _, _, _ in MailDialogue.from(context)?.goesOn == true ? 0 : 1 }
    }

    private func failure(
        _ code: CURLcode, status: Int, _ reason: [CChar], _ dialogue: MailDialogue
    ) -> MailClient.Failure {
        if code == CURLE_ABORTED_BY_CALLBACK { return .cancelled }
        let text = CurlOptions.text(of: code, reason)
        if status >= 400, dialogue.refusal.hasPrefix("\(status)") {
            // libcurl has this code for an envelope that the server refused.
            let isOfEnvelope = code == CURLE_SEND_ERROR && !Self.isOfSender(text, status)
            let stage: MailClient.Stage =
                dialogue.hasBegunContent ? .content : isOfEnvelope ? .envelope : .connection
            return .refused(stage, code: status, text: dialogue.refusal)
        }
        return .failed(text)
    }

    /// Whether the server refused the sender, which all messages have, and not this message for its size (RFC 1870).
    ///
    /// - Parameter text: libcurl's description, which begins with the command.
    private static func isOfSender(_ text: String, _ status: Int) -> Bool {
        text.hasPrefix("MAIL ") && status != 552
    }
}
