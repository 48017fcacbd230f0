import CommandSupport
import ServerConfiguration
import StrictJSON
import UAF

/// Comparison of a configuration with a standard, requirement by requirement.
struct ProfileReview {
    /// Requirement with its answer for this configuration.
    struct Finding {
        /// State of a requirement.
        enum State: String {
            case met
            case notMet = "not met"
            /// The server has nothing to do with it.
            case outside
        }

        let row: ProfileRow
        let state: State
        /// Value of the setting, test, or reason, in words.
        let words: String
    }

    let profile: Deployment.AssuranceProfile
    let findings: [Finding]

    init(_ profile: Deployment.AssuranceProfile, of deployment: Deployment, _ catalog: MetadataCatalog) {
        self.profile = profile
        let subject = ProfileSubject(deployment: deployment, catalog: catalog)
        findings = profile.rows.map { row in
            switch row.answer {
            case .setting(let setting):
                let isMet = setting.isMet(subject)
                return Finding(
                    row: row, state: isMet ? .met : .notMet,
                    words: "\(setting.name) is \(setting.value(subject))" + (isMet ? "" : ": \(setting.help)"))
            case .test(let test): return Finding(row: row, state: .met, words: "test \(test)")
            case .outside(let reason): return Finding(row: row, state: .outside, words: reason)
            }
        }
    }

    /// Contradictions to the profiles that a configuration names, a sentence for each.
    static func contradictions(in deployment: Deployment, _ catalog: MetadataCatalog) -> [String] {
        deployment.assuranceProfiles.sorted { $0.rawValue < $1.rawValue }.flatMap { profile in
            ProfileReview(profile, of: deployment, catalog).contradictions
        }
    }

    /// Throws `profileNotMet` when the configuration contradicts a profile that it names.
    static func requireNone(in deployment: Deployment, _ catalog: MetadataCatalog) throws(CommandFailure) {
        let sentences = contradictions(in: deployment, catalog)
        guard sentences.isEmpty else { throw .local("profileNotMet", sentences.joined(separator: "\n")) }
    }

    var contradictions: [String] {
        findings.filter { $0.state == .notMet }.map {
            "profile \(profile.rawValue), \($0.row.section) (\($0.row.demand)): \($0.words)"
        }
    }

    var lines: [String] {
        ["\(profile.rawValue): \(profile.words)"]
            + findings.map { "\($0.state.rawValue): \($0.row.section) \($0.row.demand): \($0.words)" }
            + ["\(count(.met)) met, \(count(.notMet)) not met, \(count(.outside)) outside"]
    }

    var json: JSONValue {
        .object([
            "profile": .string(profile.rawValue), "isMet": .bool(count(.notMet) == 0),
            "requirements": .array(findings.map(\.json)),
        ])
    }

    private func count(_ state: Finding.State) -> Int { findings.count { $0.state == state } }
}

extension ProfileReview.Finding {
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "section": .string(row.section), "requirement": .string(row.demand), "state": .string(state.rawValue),
            "words": .string(words),
        ]
        switch row.answer {
        case .setting(let setting): members.append("setting", .string(setting.name))
        case .test(let test): members.append("test", .string(test))
        case .outside: break
        }
        return .object(members)
    }
}

extension Deployment.AssuranceProfile {
    /// The requirements, in the order of the standard.
    var rows: [ProfileRow] {
        switch self {
        case .nist: ProfileRow.nist(ProfileRow.aal2)
        case .nistAAL3: ProfileRow.nist(ProfileRow.aal3)
        case .psd2: ProfileRow.psd2
        }
    }

    fileprivate var words: String {
        switch self {
        case .nist: "NIST SP 800-63B-4 (2025) at AAL2"
        case .nistAAL3: "NIST SP 800-63B-4 (2025) at AAL3"
        case .psd2: "strong customer authentication, Delegated Regulation (EU) 2018/389"
        }
    }
}
