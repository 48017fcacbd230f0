package import BackendAPI
import Octets
package import UAF

/// Comparison of what this device and one server know of each other.
package struct DeviceComparison {
    /// One thing in which both do not agree.
    package enum Finding: Hashable, Sendable {
        /// Only the server has the credential.
        case credentialOnlyThere(CredentialID, UserName)
        /// Only this device has the credential.
        case credentialOnlyHere(CredentialID, UserName)
        case targetOnlyThere(String, UserName)
        case targetOnlyHere(String, UserName)
        /// The server has another name for the device in these records.
        case name(there: DeviceName, here: String, [DeviceSnapshot.Target])
        case pushToken(there: String?, here: String?, [DeviceSnapshot.Target])
    }

    package let server: ServerAddress
    package let findings: [Finding]

    /// Compares.
    ///
    /// Credentials of accounts that the server does not list at all are left alone: they may have been registered
    /// before servers kept records of devices.
    package init(_ device: DeviceSnapshot, _ server: ServerAddress, _ report: DeviceCredentials) {
        self.server = server
        let targets = device.targets(at: server)
        let local = device.scope(at: server).keys
        var findings: [Finding] = []
        for account in report.accounts {
            let known = local.filter { $0.username == account.username }.map(\.id)
            for credential in account.credentials where !known.contains(credential.id) {
                findings.append(.credentialOnlyThere(credential.id, account.username))
            }
            if let target = account.target, !targets.contains(where: { $0.isRecord(target.id) }) {
                findings.append(.targetOnlyThere(target.id, account.username))
            }
        }
        findings += Self.local(local, targets, report)
        if let record = device.record {
            findings += Self.differences(record.description(at: server), targets, report)
        }
        self.findings = findings
    }

    /// Credentials and records that only this device has.
    private static func local(
        _ credentials: [LocalCredential], _ targets: [DeviceSnapshot.Target], _ report: DeviceCredentials
    ) -> [Finding] {
        var findings: [Finding] = []
        // A user may be listed more than once: with an older record whose answer was lost.
        let listed = Set(report.accounts.map(\.username))
        // What belongs to no record may be one of ours, registered before there was one: it is not missing.
        let there = Set(report.accounts.flatMap { $0.credentials.map(\.id) + $0.unassigned })
        for credential in credentials where credential.state != .pending && listed.contains(credential.username) {
            guard !there.contains(credential.id) else { continue }
            findings.append(.credentialOnlyHere(credential.id, credential.username))
        }
        let identifiers = report.accounts.compactMap(\.target?.id)
        for target in targets where !identifiers.contains(where: target.isRecord) {
            findings.append(.targetOnlyHere(target.identifier, target.username))
        }
        return findings
    }

    /// Names and tokens that differ, each once, with the records that have them.
    private static func differences(
        _ given: DeviceRecord.Description, _ targets: [DeviceSnapshot.Target], _ report: DeviceCredentials
    ) -> [Finding] {
        let pushToken = given.pushToken?.reveal()
        var names: [(DeviceName, [DeviceSnapshot.Target])] = []
        var tokens: [(String?, [DeviceSnapshot.Target])] = []
        for there in report.accounts.compactMap(\.target) {
            guard let here = targets.first(where: { $0.isRecord(there.id) }) else { continue }
            if !there.name.text.hasSameOctets(as: given.name) {
                if let index = names.firstIndex(where: { $0.0 == there.name }) {
                    names[index].1.append(here)
                } else {
                    names.append((there.name, [here]))
                }
            }
            let token = there.destination?.pushToken
            if !token.hasSameOctets(as: pushToken) {
                if let index = tokens.firstIndex(where: { $0.0.hasSameOctets(as: token) }) {
                    tokens[index].1.append(here)
                } else {
                    tokens.append((token, [here]))
                }
            }
        }
        return names.map { .name(there: $0.0, here: given.name, $0.1) }
            + tokens.map { .pushToken(there: $0.0, here: pushToken, $0.1) }
    }

    package var mismatches: [DeviceMismatch] { findings.map(mismatch) }

    func mismatch(_ finding: Finding) -> DeviceMismatch {
        switch finding {
        case .credentialOnlyThere(let id, _):
            .credentialOnlyThere(keyID: id.keyID.base64URL, aaid: id.aaid.text, server)
        case .credentialOnlyHere(let id, let username):
            .credentialOnlyHere(keyID: id.keyID.base64URL, aaid: id.aaid.text, username: username.text, server)
        case .targetOnlyThere(let identifier, _): .recordOnlyThere(identifier, server)
        case .targetOnlyHere(let identifier, let username):
            .recordOnlyHere(DeviceRecord.Link(identifier: identifier, username: username.text), server)
        case .name(let there, let here, _): .name(there: there.text, here: here, server)
        case .pushToken(let there, let here, _): .pushToken(there: there, here: here, server)
        }
    }
}

extension PushDestination {
    /// The token; nil when push messages are switched off.
    fileprivate var pushToken: String? {
        if case .token(let token) = self { token } else { nil }
    }
}

extension String? {
    fileprivate func hasSameOctets(as other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let one?, let other?): one.hasSameOctets(as: other)
        default: false
        }
    }
}
