import BackendAPI
import BackendTransport
import CommandSupport
import Foundation
import UAF

/// Check of what phones and applications need besides requests: keys that verify tokens, and a way to begin a
/// registration.
struct ServiceExamination {
    let base: String
    let receivesPushes: Bool
    let transport: any HTTPTransport
    let patience: Duration

    func findings() async -> [DoctorFinding] {
        let address = BackendRequest(
            .get, base + Endpoint.keySet.path, headers: [.init("Accept", "application/json")], timeout: patience)
        guard let response = try? await transport.response(to: address), response.status == 200,
            let document = try? KeySetDocument(body: response.body), document.keyCount > 0
        else {
            return [
                DoctorFinding(
                    name: "keys", verdict: .weak,
                    observation: "There are no keys at \(Endpoint.keySet.path): applications cannot verify tokens.",
                    advice: "Let the proxy in front of the server pass this path on.")
            ]
        }
        let keys = well("keys", "Applications find the keys for its tokens (\(document.keyCount)).")
        guard let dispatchers = document.dispatchers else { return [keys] }
        return [keys, await beginning(dispatchers)] + pushes(dispatchers)
    }

    /// Finding about the ways to begin a registration: a QR code or link, or an in-band login.
    private func beginning(_ dispatchers: [DispatcherName]) async -> DoctorFinding {
        let names = dispatchers.map { ForeignText.name($0.rawValue) }.joined(separator: ", ")
        if dispatchers.contains(where: { $0 != .firebaseCloudMessaging }) {
            return well("dispatchers", "Invitations and operations reach phones: \(names).")
        }
        let advice = "Add a dispatcher for links or codes, such as - type: png-qr-code, under fido-uaf: dispatchers:."
        let lack = names.isEmpty ? "It has no dispatchers" : "It has no dispatcher for links or codes (\(names) only)"
        return DoctorFinding(
            name: "dispatchers", verdict: .weak,
            observation: await hasPasswordLogin()
                ? "\(lack): phones register by the password login only."
                : "\(lack) and no password login: no phone can be invited; only a token of a trusted issuer, or an "
                    + "open registration, lets phones in.",
            advice: advice)
    }

    /// Finding for a phone with a push subscription at a server that sends no push messages.
    private func pushes(_ dispatchers: [DispatcherName]) -> [DoctorFinding] {
        guard receivesPushes, !dispatchers.contains(.firebaseCloudMessaging) else { return [] }
        return [
            DoctorFinding(
                name: "push", verdict: .weak,
                observation: "This phone waits for push messages, and the server sends none.",
                advice:
                    "Configure firebase-cloud-messaging under fido-uaf: dispatchers:; signet device pending asks."
            )
        ]
    }

    /// Whether the password login exists: a known path responds to another method with 405 (RFC 9110 section 15.5.6).
    private func hasPasswordLogin() async -> Bool {
        let request = BackendRequest(
            .get, base + Endpoint.passwordLogin.path, headers: [.init("Accept", "application/json")], timeout: patience)
        return (try? await transport.response(to: request))?.status == 405
    }

    private func well(_ name: String, _ observation: String) -> DoctorFinding {
        DoctorFinding(name: name, verdict: .well, observation: observation)
    }
}
