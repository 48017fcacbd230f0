import CommandSupport
import UAF

/// Check whether the server's policy lets a phone register and authenticate.
struct PolicyExamination {
    let policy: Policy
    /// The phone; nil for any.
    let phone: ExaminedPhone?

    func findings() -> [DoctorFinding] {
        guard let phone else { return [families()] }
        return [registration(of: phone)] + phone.registrations.map(signIn)
    }

    // MARK: - Registration

    private func families() -> DoctorFinding {
        let all = DeviceFamily.allCases
        let good = all.filter { family in
            !Self.accepted(of: ExaminedPhone(family).authenticators.map(\.candidate), by: policy).isEmpty
        }
        guard !good.isEmpty else {
            let names = all.map(\.rawValue).joined(separator: ", ")
            return refused("No phone of any family (\(names)) can register or sign in: \(wish).")
        }
        let names = good.map(\.rawValue).joined(separator: ", ")
        return well("policy", "Its policy takes phones of the families \(names).")
    }

    private func registration(of phone: ExaminedPhone) -> DoctorFinding {
        let accepted = Self.accepted(of: phone.authenticators.map(\.candidate), by: policy)
        let fitting = phone.authenticators.filter { accepted.contains($0.candidate.aaid) }
        let usable = fitting.filter(\.isUsable)
        if !usable.isEmpty {
            return well("policy", "Its policy takes of \(phone.name.lowercasedFirst): \(Self.list(usable)).")
        }
        guard fitting.isEmpty else {
            return DoctorFinding(
                name: "policy", verdict: .ill,
                observation: "Of \(phone.name.lowercasedFirst) the server accepts only what is not set up: "
                    + "\(Self.list(fitting)).",
                advice: "Set it up (signet device authenticators says what is missing), or accept another model in "
                    + "fido-uaf: policies: of the server.")
        }
        let reason = isExcluded(phone) ? "its models are disallowed or revoked" : wish
        return refused("\(phone.name) cannot register: \(reason). It has \(Self.list(phone.authenticators)).")
    }

    /// Whether the policy would accept the models if it disallowed none.
    private func isExcluded(_ phone: ExaminedPhone) -> Bool {
        let open = Policy(accepted: policy.accepted)
        return !Self.accepted(of: phone.authenticators.map(\.candidate), by: open).isEmpty
    }

    private func refused(_ observation: String) -> DoctorFinding {
        DoctorFinding(
            name: "policy", verdict: .ill, observation: observation,
            advice:
                "Name models of the phones in fido-uaf: policies: of the server, describe them in its metadata, and "
                + "look whether they are in disallowed or revoked-aaids (signet-server config check).")
    }

    /// List of what the server accepts, as the end of a sentence.
    private var wish: String {
        let sets = policy.accepted.prefix(8).map { set in
            set.map { $0.aaids?.map(\.text).joined(separator: "/") ?? "whatever fits a description" }
                .joined(separator: " together with ")
        }
        let more = policy.accepted.count > sets.count ? " and \(policy.accepted.count - sets.count) more" : ""
        return "the server accepts only \(sets.joined(separator: ", "))\(more)"
    }

    // MARK: - Sign-in

    /// Finding about the authentication with a key of the phone under the policy; ``RecordExamination`` tells whether the
    /// server still has its credential.
    private func signIn(_ registration: DeviceRegistration) -> DoctorFinding {
        let user = ForeignText.name(registration.username)
        let aaid = AAID(registration.aaid)
        let key = aaid.map(ExaminedPhone.words) ?? registration.aaid
        guard registration.isUsable else {
            return DoctorFinding(
                name: "sign-in", verdict: .ill, observation: "The key of \(user), \(key), does not work any more.",
                advice: "Remove it with signet device delete-local and register again.")
        }
        let candidates = phone?.authenticators.map(\.candidate).filter { $0.aaid == aaid } ?? []
        guard !Self.accepted(of: candidates, by: policy).isEmpty else {
            return DoctorFinding(
                name: "sign-in", verdict: .ill,
                observation: "\(user) cannot sign in with \(key): the server does not accept the model any more.",
                advice: "Register another authenticator, or accept the model again in fido-uaf: policies:, disallowed "
                    + "and revoked-aaids of the server.")
        }
        return well("sign-in", "The default policy lets \(user) sign in with \(key).")
    }

    // MARK: - Judging

    /// Models that the policy accepts alone, because the user of a phone chooses one authenticator, and its keys attest
    /// themselves.
    private static func accepted(of candidates: [AuthenticatorCandidate], by policy: Policy) -> Set<AAID> {
        let evaluation = PolicyEvaluation(candidates: candidates, purpose: .registration)
        guard let choices = try? evaluation.choices(for: policy) else { return [] }
        let single = choices.compactMap { $0.count == 1 ? $0.first : nil }.filter { selection in
            selection.criteria.attestationType(for: candidates[selection.candidate].characteristics)
                == .basicSurrogate
        }
        return Set(single.map { candidates[$0.candidate].aaid })
    }

    private static func list(_ authenticators: [ExaminedPhone.Authenticator]) -> String {
        authenticators.map(\.words).joined(separator: ", ")
    }

    private func well(_ name: String, _ observation: String) -> DoctorFinding {
        DoctorFinding(name: name, verdict: .well, observation: observation)
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
