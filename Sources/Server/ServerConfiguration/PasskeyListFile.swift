package import FoundationEssentials
import OpenID
package import StrictYAML
package import WebAuthn

/// Refusal of the list of models in the file of `openid.passkeys.metadata-file`.
package struct PasskeyListError: Error, Hashable, CustomStringConvertible {
    package let path: String
    /// Nil for a file that cannot be read.
    package let refusal: MetadataRefusal?

    package var description: String {
        "openid.passkeys.metadata-file: \(path) is not taken: \(refusal.map { "\($0)" } ?? "it cannot be read")"
    }
}

extension Deployment {
    /// The list of models that the configuration names, verified, and no earlier than the one that is in use; nil without one.
    package func passkeyMetadata(
        from files: any FileReading, at time: Date, afterUseOf known: PasskeyMetadata? = nil
    ) async throws(PasskeyListError) -> PasskeyMetadata? {
        guard let metadata = webSites.openID?.passkeys?.metadata else { return nil }
        guard let text = files.contents(of: metadata.path) else {
            throw PasskeyListError(path: metadata.path, refusal: nil)
        }
        do throws(MetadataRefusal) {
            let list = try await PasskeyMetadata(text, endingAt: metadata.roots, at: time)
            try list.requireNotEarlier(than: known)
            return list
        } catch {
            throw PasskeyListError(path: metadata.path, refusal: error)
        }
    }
}
