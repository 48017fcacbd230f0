import CommandSupport
import DemoCommands
import Foundation
import Locking
import TestSupport
import Testing
import UAF

/// A server in front of whose allocator stands a counter, without a limit on how fast phones may be.
final class CountedServer {
    private let installation: Installation
    private let process: ChildProcess
    private let counter: URL
    /// Phones of this process.
    let phones: RemovalClient

    /// Starts the server and adds users.
    init(users: [String]) async throws {
        installation = try Installation(settings: Self.settings)
        let folder = installation.scratch.url
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document)
            .write(to: installation.server.folder.appending(path: "metadata.json"))
        counter = folder.appending(path: "count")
        try Data(count: MemoryLayout<Int>.size).write(to: counter)
        process = try await installation.server.start(environment: [
            "LD_PRELOAD": try Self.library(in: folder).path(), "SIGNET_ALLOCATION_COUNT": counter.path(),
        ])
        phones = try RemovalClient(to: installation.server)
        for user in users { try await installation.server.addUser(user, password: Installation.password) }
    }

    deinit { process.kill() }

    /// Pieces of memory that the server takes for one execution, whichever library asks for them; the median of many,
    /// once everything is there that is made only once.
    ///
    /// What the server does every second or so falls into few of them, also where the machine is busy and each takes long.
    func pieces(for operation: () async throws -> Void) async throws -> Int {
        let (warmUpCount, roundCount) = (20, 61)
        for _ in 0..<warmUpCount { try await operation() }
        var counts: [Int] = []
        for _ in 0..<roundCount {
            let start = try count()
            try await operation()
            counts.append(try count() - start)
        }
        return counts.sorted()[roundCount / 2]
    }

    private func count() throws -> Int {
        try Data(contentsOf: counter).withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
    }

    /// Compiles the counter into a library that a program loads first.
    private static func library(in folder: URL) throws -> URL {
        let (source, library) = (folder.appending(path: "counter.c"), folder.appending(path: "libcounter.so"))
        try Data(counterSource.utf8).write(to: source)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", library.path(), source.path()]
        try ThreadSignals.unblocked { try compiler.run() }
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        return library
    }

    /// Counts in a file that is mapped, so that a test reads it while the server runs.
    private static let counterSource = """
        #include <errno.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>

        extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
        extern void *__libc_memalign(size_t, size_t);

        static long early, *count = &early;
        #define COUNT __atomic_fetch_add(count, 1, __ATOMIC_RELAXED)

        __attribute__((constructor)) static void begin(void) {
            const char *path = getenv("SIGNET_ALLOCATION_COUNT");
            int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
            if (file < 0) return;
            void *mapped = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (mapped != MAP_FAILED) count = mapped;
        }

        void *malloc(size_t size) { return COUNT, __libc_malloc(size); }
        void *calloc(size_t number, size_t size) { return COUNT, __libc_calloc(number, size); }
        void *realloc(void *memory, size_t size) { return COUNT, __libc_realloc(memory, size); }
        void *memalign(size_t alignment, size_t size) { return COUNT, __libc_memalign(alignment, size); }
        void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
        int posix_memalign(void **memory, size_t alignment, size_t size) {
            void *given = memalign(alignment, size);
            if (given) *memory = given;
            return given ? 0 : ENOMEM;
        }

        """

    private static let settings = """
        fido-uaf:
          metadata: { path: metadata.json }
        authorization:
          registration: none
        server:
          rate-limit:
            per-address: { per-second: 1000000, burst: 1000000 }
            per-user: { per-second: 1000000, burst: 1000000 }

        """
}
