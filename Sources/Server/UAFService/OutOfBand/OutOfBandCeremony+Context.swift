import BackendAPI
package import ServerCore
import UAF

extension OutOfBandCeremony {
    package func text(_ hash: TransactionHash) -> String? {
        let context = try? readContext(as: AuthenticationContext.self)
        return context?.transactions.first { TransactionHash(of: $0.content) == hash }
            .flatMap { String(validating: $0.content, as: UTF8.self) }
    }

    /// Least assurance of the keys that are asked; nil: any.
    package var leastAssurance: Assurance? {
        (try? readContext(as: AuthenticationContext.self))?.assurance.flatMap { Assurance(rawValue: $0) }
    }

    package func askedCredentials(of holder: CredentialHolder) -> [RegisteredCredential] {
        let held = holder.credentials(on: targetID)
        guard let leastAssurance else { return held }
        return held.filter { $0.isAsked(for: leastAssurance) }
    }
}

extension RegisteredCredential {
    /// Whether the key may sign and is protected as well as an order wants.
    package func isAsked(for least: Assurance?) -> Bool {
        status == .active && Assurance(protection) >= least ?? .key
    }
}
