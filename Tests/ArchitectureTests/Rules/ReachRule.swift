/// A program links what it runs: the targets and system libraries that its dependencies reach.
///
/// SwiftPM links every target that a program reaches over however many others, and the system libraries of all of them,
/// whether a line of theirs ever runs or not.
enum ReachRule {
    /// Limits of one program.
    struct Program {
        var name: String
        /// Layer of which the program links nothing but ``exceptions``.
        var foreignLayer: Layer
        /// Targets of that layer that know nothing of it, and are for every program.
        var exceptions: Set<String> = []
        /// System libraries that the program calls.
        var systemLibraries: Set<String>
    }

    /// The limits of the programs of this package.
    static let programs = [
        Program(
            name: "signet", foreignLayer: .server, exceptions: ["QRCode", "StrictYAML"],
            systemLibraries: ["CDBus", "CPAM", "CPNG", "CQREncode", "CTSS2", "CZBar"]),
        Program(
            name: "signet-server", foreignLayer: .device,
            systemLibraries: ["CPNG", "CPostgreSQL", "CQREncode", "CSecp256k1"]),
        Program(
            name: "signet-push-sink", foreignLayer: .device, systemLibraries: ["CPNG", "CQREncode", "CSecp256k1"]),
    ]

    /// What a program reaches and may not, each with the arrows that lead there.
    static func violations(of program: Program, in targets: [PackageDescription.Target]) -> [String] {
        let known = Dictionary(targets.map { ($0.name, $0) }) { first, _ in first }
        let ways = ways(from: program.name, in: known)
        return ways.keys.sorted().compactMap { name in
            guard let target = known[name] else { return nil }
            let isForeign =
                target.path.hasPrefix("Sources/\(program.foreignLayer.rawValue)/") && !program.exceptions.contains(name)
            let isForeignLibrary = target.type == "system-target" && !program.systemLibraries.contains(name)
            return isForeign || isForeignLibrary ? ways[name]?.joined(separator: " -> ") : nil
        }
    }

    /// Names of the targets and library products that a program reaches, with the program itself.
    static func reachable(from name: String, in targets: [PackageDescription.Target]) -> Set<String> {
        Set(ways(from: name, in: Dictionary(targets.map { ($0.name, $0) }) { first, _ in first }).keys)
    }

    /// The shortest way to each name that is reachable, from the program to the name.
    private static func ways(
        from name: String, in targets: [String: PackageDescription.Target]
    ) -> [String: [String]] {
        var ways = [name: [name]]
        var open = [name]
        while !open.isEmpty {
            let next = open.removeFirst()
            for dependency in (targets[next]?.dependencies ?? []).sorted() where ways[dependency] == nil {
                ways[dependency] = (ways[next] ?? []) + [dependency]
                open.append(dependency)
            }
        }
        return ways
    }
}
