import CommandSupport
import Foundation
import MobileAuthentication
import UAF

/// Whether a server still has the keys of a phone, as far as a phone can find out without its user.
///
/// The phone asks with its own signature, as `signet device check` does; nothing is changed. It learns what the server's
/// record of it holds. A key that is switched off looks like any other there, and one that belongs to no record cannot be
/// asked for: of these only a sign-in tells, and the findings say so.
struct RecordExamination {
    let phone: ExaminedPhone
    let server: URL

    /// A finding for each key that works; none when the phone holds no key for the server.
    func findings() async -> [DoctorFinding] {
        let keys = phone.registrations.filter(\.isUsable)
        guard let ask = phone.askServers, !keys.isEmpty else { return [] }
        let result = await ask()
        if let error = result.errors.first(where: concernsServer) { return keys.map { finding(on: $0, error) } }
        let mismatches = result.mismatches.filter { isServer($0.server) }
        return keys.map { finding(on: $0, mismatches) }
    }

    // MARK: - What the server has answered

    private func finding(
        on key: DeviceRegistration, _ mismatches: [DeviceInformationMismatch]
    ) -> DoctorFinding {
        for mismatch in mismatches {
            switch mismatch {
            case .MissingAuthenticatorInServer(_, key.aaid, let account) where account.username == key.username:
                return DoctorFinding(
                    name: "record", verdict: .ill,
                    observation: "\(Self.name(key)) is no longer registered at the server.",
                    advice: "Remove it here with signet device sync, then register again (docs/operate/recovery.md).")
            case .MissingDeviceInformationInServer(let pair, _) where pair.username == key.username:
                return forgotten(key)
            default: continue
            }
        }
        guard phone.recordedUsers.contains(key.username) else { return unrecorded(key) }
        return DoctorFinding(
            name: "record", verdict: .well,
            observation: "\(Self.name(key)) is registered at the server; whether it is switched off there, or the user "
                + "locked, only a sign-in tells.")
    }

    private func forgotten(_ key: DeviceRegistration) -> DoctorFinding {
        DoctorFinding(
            name: "record", verdict: .ill,
            observation: "The server has no record of this phone any more, as after the removal of the phone or of its "
                + "last key. \(Self.name(key)) is most likely not registered there.",
            advice:
                "signet device authenticate tells for sure; if it fails, signet device deregister --jws removes the "
                + "key here, then register again (docs/operate/recovery.md).")
    }

    private func unrecorded(_ key: DeviceRegistration) -> DoctorFinding {
        unknown(key, "the server keeps no record of this phone")
    }

    private func unknown(_ key: DeviceRegistration, _ reason: String) -> DoctorFinding {
        DoctorFinding(
            name: "record", verdict: .weak,
            observation: "Whether the server still has \(Self.name(key).prefix(1).lowercased())"
                + "\(Self.name(key).dropFirst()), is not known: \(reason).",
            advice: "A sign-in tells: signet device authenticate --user \(ShellWord.quoted(key.username)).")
    }

    // MARK: - Why it has not answered

    private func finding(on key: DeviceRegistration, _ error: DeviceInformationCheckError) -> DoctorFinding {
        switch error {
        case .Forbidden(_, let cause) where (cause as? HTTPStatusError)?.statusCode == 401: forgotten(key)
        case .Forbidden:
            DoctorFinding(
                name: "record", verdict: .ill,
                observation: "The server refuses this phone (HTTP 403): "
                    + "\(ForeignText.name(key.username)) is locked, or something in front of the server forbids it.",
                advice: "Look at the user with signet-server users list; users unlock ends a lock.")
        case .OperationNotSupportedByBackend: unrecorded(key)
        default: unknown(key, "the question failed (\(error.localizedDescription))")
        }
    }

    private func concernsServer(_ error: DeviceInformationCheckError) -> Bool {
        switch error {
        case .NetworkError(let server, _), .DeviceProtectionError(let server, _), .ClockSkewTooBig(let server, _),
            .OperationNotSupportedByBackend(let server, _), .NameAlreadyExists(let server, _),
            .Forbidden(let server, _):
            isServer(server)
        case .Unknown(let server, _): server.map(isServer) ?? true
        case .NoDeviceLockError: true
        @unknown default: true
        }
    }

    private func isServer(_ other: any Server) -> Bool {
        ExaminedPhone.origin(other.baseUrl) == ExaminedPhone.origin(server)
    }

    /// `The key of anna, pin (F1D0#1001)`.
    private static func name(_ key: DeviceRegistration) -> String {
        let model = AAID(key.aaid).map(ExaminedPhone.words) ?? ForeignText.name(key.aaid)
        return "The key of \(ForeignText.name(key.username)), \(model),"
    }
}
