#if os(Linux)
    import Crypto
    import Locking

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Guard over the bundled files that were sealed with the program: one in a round, all in a whole inspection.
    final class ResourceGuard: TamperGuard {
        let kind = GuardFinding.Kind.resources
        private let folder: String?
        private let resources: [CodeSeal.Resource]
        private let turn = Lock(0)

        init(folder: String?, resources: [CodeSeal.Resource]) {
            self.folder = folder
            self.resources = resources
        }

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            guard extent != .operation, !resources.isEmpty else { return .clear }
            guard let folder else { return TamperGuardResult(unknown: ["the folder of the program"]) }
            let chosen = extent == .whole ? resources : [resources[nextTurn()]]
            var result = TamperGuardResult()
            for resource in chosen {
                guard let digest = Self.digest(of: folder + resource.path) else {
                    result.unknown.append("\(resource.path) cannot be read")
                    continue
                }
                guard digest != resource.digest else { continue }
                result.findings.append(
                    GuardFinding(
                        kind, "resources.file", weight: 100,
                        evidence: "\(resource.path) is not the file that was sealed"))
            }
            return result
        }

        private func nextTurn() -> Int {
            turn.withLock { turn in
                turn = (turn + 1) % resources.count
                return turn
            }
        }

        /// SHA-256 of a file, read piece by piece.
        private static func digest(of path: String) -> [UInt8]? {
            // A pipe in the place of a file would keep the guard waiting for a writer.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var hash = SHA256()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let got = read(descriptor, &buffer, buffer.count)
                guard got >= 0 else { return nil }
                guard got > 0 else { return Array(hash.finalize()) }
                buffer.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0.prefix(got))) }
            }
        }
    }
#endif
