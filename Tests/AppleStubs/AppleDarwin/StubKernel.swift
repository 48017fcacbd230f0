import Synchronization

/// The kernel of Apple's that the stand-in for `Darwin` pretends to run on; a test makes one the current one.
///
/// What is not listed here is done by Linux: files, memory, threads, sockets.
public final class StubKernel: Sendable {
    /// The kernel that the functions talk to.
    @TaskLocal public static var current = StubKernel()

    /// State that a test can set, and what was asked for.
    public struct State: Sendable {
        /// Flags of this process, for example `P_TRACED`.
        public var processFlags: Int32 = 0
        /// Whether the kernel tells about processes.
        public var tellsOfProcesses = true
        /// Paths of the images that are loaded.
        public var images = ["/private/var/containers/Bundle/Application/Shop.app/Shop"]
        /// Paths that exist, besides what Linux has.
        public var paths: Set<String> = []
        /// Identifier of the run of the system; nil where it does not tell.
        public var bootSession: String? = "1C2D3E4F-0001-4002-8003-9A9B9C9D9E9F"
        /// Whether the file system knows `F_FULLFSYNC`.
        public var hasFullSync = true
        /// How often the disk was asked to write down its cache.
        public var fullSyncs = 0
        /// Answer to a class of data protection: 0, or the code of an error.
        public var protectionAnswer: Int32 = 0
        /// The classes that files were put into.
        public var protectionClasses: [Int32] = []
        /// Answer to an attribute: 0, or the code of an error.
        public var attributeAnswer: Int32 = 0
        /// The attributes that files were given: path, name and value.
        public var attributes: [String: [String: [UInt8]]] = [:]

        /// A process as it should be.
        public init() {}
    }

    private let state: Mutex<State>

    /// A kernel; by default one whose process is as it should be.
    public init(_ state: State = State()) { self.state = Mutex(state) }

    /// Reads or changes the kernel.
    @discardableResult
    public func with<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
        state.withLock { body(&$0) }
    }
}
