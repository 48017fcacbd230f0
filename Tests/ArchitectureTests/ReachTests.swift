import Testing

@Suite("A program links what it runs")
struct ReachTests {
    private func target(_ path: String, _ dependencies: Set<String> = []) -> PackageDescription.Target {
        PackageDescription.Target(
            name: path.split(separator: "/").last.map(String.init) ?? path, path: "Sources/\(path)",
            type: path.hasPrefix("System/") ? "system-target" : "library", targetDependencies: Array(dependencies))
    }

    /// A package with both layers, in which `extra` targets are a further dependency of the target `Far`.
    private func package(_ extra: [PackageDescription.Target] = []) -> [PackageDescription.Target] {
        [
            target("Commands/signet", ["DeviceCommands"]), target("Commands/signet-server", ["ServerCommands"]),
            target("Commands/DeviceCommands", ["Phone", "Drawing"]),
            target("Commands/ServerCommands", ["Core", "Drawing", "Far"]),
            target("Device/Phone", ["Octets"]), target("Server/Core", ["Octets", "Logging"]), target("Server/Drawing"),
            target("Protocol/Octets"), target("Server/Far", Set(["Octets"] + extra.map(\.name))),
        ] + extra
    }

    private let server = ReachRule.Program(
        name: "signet-server", foreignLayer: .device, systemLibraries: ["CSecp256k1", "CPNG"])
    private let phone = ReachRule.Program(
        name: "signet", foreignLayer: .server, exceptions: ["Drawing"], systemLibraries: [])

    @Test("What is reached is what dependencies lead to, over however many targets")
    func reachable() {
        #expect(
            ReachRule.reachable(from: "signet-server", in: package())
                == ["signet-server", "ServerCommands", "Core", "Drawing", "Far", "Octets", "Logging"])
        #expect(ReachRule.violations(of: server, in: package()).isEmpty)
        #expect(ReachRule.violations(of: phone, in: package()).isEmpty)
    }

    @Test("A target of the device is refused in the server, with the way that leads to it")
    func device() {
        var targets = package([target("Device/PhonePage")])
        #expect(
            ReachRule.violations(of: server, in: targets) == ["signet-server -> ServerCommands -> Far -> PhonePage"])
        targets = package([target("Commands/Shared", ["Phone"])])
        #expect(
            ReachRule.violations(of: server, in: targets)
                == ["signet-server -> ServerCommands -> Far -> Shared -> Phone"])
    }

    @Test(
        "A system library that is not the server's is refused", arguments: ["CTSS2", "CPAM", "CDBus", "CZBar", "CX11"])
    func libraries(name: String) {
        let targets = package([target("System/\(name)"), target("System/CPNG")])
        #expect(ReachRule.violations(of: server, in: targets) == ["signet-server -> ServerCommands -> Far -> \(name)"])
    }

    @Test("A target of the server is refused in the phone, but for those that are for every program")
    func phoneReach() {
        var targets = package()
        targets.removeAll { $0.name == "DeviceCommands" }
        targets.append(target("Commands/DeviceCommands", ["Phone", "Drawing", "Core"]))
        #expect(ReachRule.violations(of: phone, in: targets) == ["signet -> DeviceCommands -> Core"])
    }

    @Test("The limits name programs with libraries, and the server's name none of a phone")
    func limits() {
        #expect(ReachRule.programs.map(\.name) == ["signet", "signet-server", "signet-push-sink"])
        let ofPhones: Set = ["CTSS2", "CPAM", "CDBus", "CZBar"]
        for program in ReachRule.programs where program.foreignLayer == .device {
            #expect(program.systemLibraries.isDisjoint(with: ofPhones) && program.exceptions.isEmpty)
        }
    }

    @Test(
        "Each program of this package reaches its own parts only",
        .enabled(
            if: PackageDescription.location != nil,
            "run script/test: it writes the package description that this test reads"))
    func ownParts() throws {
        let description = try PackageDescription(contentsOf: try #require(PackageDescription.location))
        for program in ReachRule.programs {
            let reached = ReachRule.reachable(from: program.name, in: description.targets)
            #expect(reached.count > 20, "\(program.name) is hardly a program: \(reached.sorted())")
            let violations = ReachRule.violations(of: program, in: description.targets)
            #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
        }
    }
}
