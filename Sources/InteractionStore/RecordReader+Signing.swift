package import RecordContract

extension RecordReader {
    /// Whether a message is signed by its gateway.
    ///
    /// - Parameters:
    ///   - verifier: `nil`: nobody asks for signatures.
    ///   - gateway: `site/building/floor/gateway`.
    /// - Returns: whether it isn't, and that is allowed.
    /// - Throws: why it isn't believed. Nothing of it counts then, not even that it came: else whoever forges it could hide
    ///   that the true one was lost.
    package static func checkSignature(
        _ message: [UInt8], of gateway: String, for purpose: MessageTag.Purpose, _ verifier: MessageVerifier?
    ) throws(Defect) -> Bool {
        guard let verifier else { return false }
        // Beyond that nothing is read; there is no need to compute over it.
        guard message.count <= longestRecord else { throw Defect("is longer than \(longestRecord) bytes") }
        switch verifier.verdict(on: message, of: gateway, for: purpose) {
        case .genuine: return false
        case .unsigned: return true
        case .refused(.unsigned): throw Defect("isn't signed, and signing.required isn't false")
        case .refused(.forged):
            throw Defect("isn't signed by its gateway: the tag is of another key or of other contents")
        case .refused(.misplaced): throw Defect("has a tag elsewhere than at its end")
        }
    }

    /// Reads a record that comes without a topic, of a file, and believes it as a record that comes with one.
    ///
    /// - Parameter verifier: `nil`: nobody asks for signatures.
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
