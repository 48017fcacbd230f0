import CommandSupport
import FoundationEssentials
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import UAF

/// Mistakes in a readable configuration: the server would not start, or a setting of it can never work.
struct ConfigurationMistakes {
    /// Mistakes for which a server does not start.
    let ofFiles: [String]
    /// Policies that no model meets: who revokes the last one must be able to start the server.
    let ofPolicies: [String]

    init(of deployment: Deployment, _ catalog: MetadataCatalog) {
        ofFiles =
            Self.network(deployment) + Self.files(deployment) + OpenIDReview(deployment).mistakes
            + ProfileReview.contradictions(in: deployment, catalog)
        ofPolicies = Self.policies(deployment.uaf, catalog)
    }

    var sentences: [String] { ofFiles + ofPolicies }

    static func refuse(_ sentences: [String]) throws(CommandFailure) {
        guard sentences.isEmpty else { throw .local("invalidConfiguration", sentences.joined(separator: "\n")) }
    }

    private static func network(_ deployment: Deployment) -> [String] {
        let (service, management) = (deployment.http.service, deployment.http.management)
        var sentences: [String] = []
        if let address = management.address, service.port == address.port, service.port != 0,
            overlap(service.host, address.host)
        {
            sentences.append(
                "server.port and management.server.port are both \(service.port) on one address: choose another one "
                    + "for the management")
        }
        sentences += frontEnds(deployment.uaf)
        var files: [CertificateFiles] = []
        if case .certificate(let chainFile, let keyFile) = deployment.http.security {
            files.append(CertificateFiles(chainFile: chainFile, privateKeyFile: keyFile))
        }
        if let ofManagement = management.certificateFiles { files.append(ofManagement) }
        return sentences + files.compactMap { problem(of: $0) }
    }

    private static func problem(of files: CertificateFiles) -> String? {
        do throws(CommandFailure) {
            _ = try files.identity()
            return nil
        } catch {
            return error.message
        }
    }

    private static func frontEnds(_ uaf: UAFDeployment) -> [String] {
        uaf.frontEndCertificateFiles.filter { file in
            let text = PosixFiles().contents(of: file).flatMap { String(validating: $0, as: UTF8.self) }
            return text.flatMap { try? CertificateReview(chainPEM: $0, host: nil, now: Date.now) } == nil
        }.map { "fido-uaf.channel-binding.certificate-files: \($0) holds no readable certificate (PEM)" }
    }

    private static func overlap(_ one: String, _ other: String) -> Bool {
        let everywhere = ["0.0.0.0", "::"]
        let hosts = [one, other].map { $0 == "localhost" ? "127.0.0.1" : $0 }
        return hosts[0] == hosts[1] || hosts.contains(where: everywhere.contains)
    }

    private static func files(_ deployment: Deployment) -> [String] {
        let database = deployment.database.file.map { [("database.file", $0)] } ?? []
        let settings = database + [("master-key-file", deployment.masterKeyFile)]
        let folders = settings.filter { isFolder($0.1) }.map { setting, path in
            "\(setting): \(path) is a folder; name a file in it, such as \(path)/signet.sqlite"
        }
        let directory = deployment.dataDirectory
        guard FileManager.default.fileExists(atPath: directory), !isFolder(directory) else {
            return folders + unwritable(directory)
        }
        return folders + ["data-directory: \(directory) is a file; name a folder"]
    }

    private static func unwritable(_ directory: String) -> [String] {
        let isThere = isFolder(directory)
        guard !(isThere ? FileManager.default.isWritableFile(atPath: directory) : canBeMade(directory)) else {
            return []
        }
        return [
            "data-directory: this user cannot \(isThere ? "write in" : "make") \(directory): name a folder that the user "
                + "of the server may write in, and run this check as that user"
        ]
    }

    /// Whether a folder can be made: tried with another name beside it, because permissions do not tell it all (`/proc`).
    private static func canBeMade(_ directory: String) -> Bool {
        var parent = directory[...]
        repeat {
            parent = parent[..<(parent.lastIndex(of: "/") ?? parent.startIndex)]
        } while !parent.isEmpty && !FileManager.default.fileExists(atPath: String(parent))
        let trial = "\(parent)/.signet-check-\(UUID().uuidString)"
        guard (try? FileManager.default.createDirectory(atPath: trial, withIntermediateDirectories: false)) != nil
        else {
            return false
        }
        return (try? FileManager.default.removeItem(atPath: trial)) != nil
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    private static func policies(_ uaf: UAFDeployment, _ catalog: MetadataCatalog) -> [String] {
        let review = PolicyReview(uaf, catalog)
        return uaf.policies.sorted { $0.key.text < $1.key.text }.compactMap { name, policy in
            let reasons = policy.policy.accepted.map { review.hindrances(in: $0, of: policy.policy) }
            guard reasons.allSatisfy({ !$0.isEmpty }) else { return nil }
            let words = Set(reasons.joined()).sorted().joined(separator: ", ")
            return "fido-uaf.policies.\(name): no user can register or sign in by this policy: \(words)"
        }
    }
}
