import Octets
import TamperGuards

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

#if os(Linux)
    /// Function that is never called: a debugger puts its breakpoint here, and the child a byte.
    @_cdecl("guard_child_target")
    func guardChildTarget() -> Int32 { 42 }

    /// Run of the child: `REACTION ACT [ARGUMENT]`.
    ///
    /// The reaction is `report`, `throw`, `stop`, `crash` for findings in any build, or `sealed` for findings in a sealed build.
    /// It prints `started`, after the act `acted`, then `found NAME` for each rule, and at the end `alive` or `refused KINDS`.
    struct ChildRun {
        private let reaction: String
        private let act: String
        private let argument: String

        init(_ arguments: some Collection<String>) {
            let arguments = Array(arguments) + ["", "", ""]
            (reaction, act, argument) = (arguments[0], arguments[1], arguments[2])
        }

        private var policy: GuardPolicy {
            var policy = GuardPolicy.release
            policy.interval = .milliseconds(5)
            policy.enforcement = reaction == "sealed" ? .whenSealed : .always
            let reactions: [String: GuardPolicy.Reaction] = [
                "report": .report, "throw": .throwError, "stop": .stopResponding,
            ]
            if let chosen = reactions[reaction] {
                for kind in GuardFinding.Kind.allCases where policy[kind] != .report { policy[kind] = chosen }
            }
            return policy
        }

        func run() async {
            if act == "wipe" { return wipe() }
            let guards = GuardNetwork(policy: policy)
            guards.start()
            say("started")
            perform()
            say("acted")
            if reaction == "report" {
                for finding in guards.examine().flatMap(\.result.findings) {
                    say("found \(finding.name) \(finding.evidence)")
                }
                for part in guards.examine().flatMap(\.result.unknown) { say("unknown \(part)") }
            }
            do throws(TamperingError) {
                // A clean process ends soon; one that did something waits for its guards.
                for _ in 0..<(act.isEmpty || act == "none" ? 3 : 400) {
                    try guards.check()
                    if act != "none" { usleep(10_000) }
                    if reaction == "report" { break }
                }
                say("alive")
            } catch {
                say("refused " + error.kinds.map(\.rawValue).joined(separator: " "))
            }
            if act == "cost" { cost(guards) }
        }

        private func perform() {
            switch act {
            case "patch": patch()
            case "map": map(argument)
            case "listen": listen(on: UInt16(argument) ?? 0)
            case "store":
                Task(priority: .high) { [argument] in await Self.store(at: argument) }
                while access(argument, F_OK) != 0 { usleep(500) }
                usleep(.random(in: 0...20_000))
                patch()
            case "witness":
                let secrets = (0..<8).map { _ in LargeSecret() }
                Task(priority: .high) { [secrets] in await Self.witness(secrets) }
                usleep(50_000)
                patch()
            default: break
            }
        }

        // MARK: - Acts

        /// Changes a byte of the program's code, as a hook in place does.
        private func patch() {
            let function: @convention(c) () -> Int32 = guardChildTarget
            let address = unsafeBitCast(function, to: UInt.self)
            guard let page = UnsafeMutableRawPointer(bitPattern: address & ~4_095),
                let byte = UnsafeMutablePointer<UInt8>(bitPattern: address),
                mprotect(page, 8_192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0
            else { return say("the page cannot be changed") }
            byte.pointee ^= 0xFF
            mprotect(page, 8_192, PROT_READ | PROT_EXEC)
        }

        /// Maps a library as code, past the dynamic linker.
        private func map(_ path: String) {
            let file = open(path, O_RDONLY)
            guard file >= 0, mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED else {
                return say("\(path) cannot be mapped")
            }
        }

        private func listen(on port: UInt16) {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var reuse: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isBound, startListening(descriptor, 1) == 0 else { return say("the port is taken") }
        }

        /// Writes a secret into a file over and over, as a storage does: a new file, then in the place of the old one.
        @concurrent
        private static func store(at path: String) async {
            let secret = SecretOctets(copying: [UInt8](repeating: 0x5A, count: 32))
            while true {
                let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
                let written = secret.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                close(file)
                if written == 32 { rename(path + ".new", path) }
            }
        }

        /// A secret that takes some milliseconds to wipe.
        private final class LargeSecret: Sendable {
            let octets = SecretOctets(copying: [UInt8](repeating: 0x5A, count: 16 << 20))
        }

        /// Says when the first of some secrets is zeros: while the others are wiped, the process still lives.
        @concurrent
        private static func witness(_ secrets: [LargeSecret]) async {
            while !secrets.contains(where: { $0.octets.withUnsafeBytes { $0.first == 0 } }) { usleep(100) }
            let line = Array("wiped\n".utf8)
            _ = write(STDOUT_FILENO, line, line.count)
        }

        /// Wipes all secrets, as the reaction does before it ends the process, and says whether they are gone.
        private func wipe() {
            let small = SecretOctets(copying: Array("small".utf8))
            let large = SecretOctets(copying: [UInt8](repeating: 1, count: 100_000))
            SecretOctets.wipeAll()
            say(
                "wiped \(small.withUnsafeBytes { !$0.contains { $0 != 0 } }) \(large.withUnsafeBytes { !$0.contains { $0 != 0 } })"
            )
            say("usable \(SecretOctets(copying: [7]).withUnsafeBytes { $0.first == 7 })")
        }

        /// Prints the least time of a first look and of a look before an operation, in microseconds.
        private func cost(_ guards: GuardNetwork) {
            func least(of count: Int, _ body: () -> Void) -> Int64 {
                let times = (0..<count).map { _ in ContinuousClock().measure(body) }.sorted()
                return Int64(times[count / 2] / .microseconds(1))
            }
            say("start \(least(of: 20) { GuardNetwork(policy: policy).start() })")
            say("operation \(least(of: 200) { try? guards.check() })")
        }

        /// Prints a line at once: what is buffered is lost when the process is killed.
        private func say(_ line: String) {
            let bytes = Array((line + "\n").utf8)
            _ = write(STDOUT_FILENO, bytes, bytes.count)
        }
    }

    /// listen(2); the method of the child hides its name.
    private func startListening(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
#endif
