package import RecordContract

extension RecordReader {
    /// Checks whether a message is signed by its gateway.
    ///
    /// - Parameters:
    ///   - verifier: `nil`: signatures are not checked.
    ///   - gateway: `site/building/floor/gateway`.
    /// - Returns: whether the message is unsigned, and that is allowed.
    /// - Throws: the reason why the message is not believed. In that case nothing of it counts, not even its receipt:
    ///   otherwise a forger could hide that the genuine message was lost.
    package static func checkSignature(
        _ message: [UInt8], of gateway: String, for purpose: MessageTag.Purpose, _ verifier: MessageVerifier?
    ) throws(Defect) -> Bool {
        guard let verifier else { return false }
        // Longer messages are never read, so there is no need to compute over them.
        guard message.count <= longestRecord else { throw Defect("is longer than \(longestRecord) bytes") }
        switch verifier.verdict(on: message, of: gateway, for: purpose) {
        case .genuine: return false
        case .unsigned: return true
        case .refused(.unsigned): throw Defect("is not signed, and signing.required is not false")
        case .refused(.forged):
            throw Defect("is not signed by its gateway: the tag belongs to another key or to other contents")
        case .refused(.misplaced): throw Defect("has a tag that is not at its end")
        }
    }

    /// Reads a record without a topic, from a file, and checks its signature as for a record with a topic.
    ///
    /// - Parameter verifier: `nil`: signatures are not checked.
    package static func read(
        _ bytes: [UInt8], verifier: MessageVerifier?
    ) throws(Defect) -> (record: ReceivedRecord, isUnsigned: Bool) {
        let record: ReceivedRecord
        do throws(Defect) {
            record = try read(bytes)
        } catch {
            var defect = error
            if let counted = error.counted {
                do throws(Defect) {
                    _ = try checkSignature(bytes, of: counted.gateway, for: .record, verifier)
                } catch {
                    defect.counted = nil
                }
            }
            throw defect
        }
        return (record, try checkSignature(bytes, of: record.gateway, for: .record, verifier))
    }
}
