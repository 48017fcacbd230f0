import Glibc
import Testing

@testable import CommandSupport

@Suite("D-L2: the programs deny core files and others of the account", .serialized)
struct ProcessSecrecyTests {
    @Test("D-L2: a process that is not dumpable says so, and can be made dumpable again")
    func dumpable() {
        let before = ProcessSecrecy.isDumpable
        ProcessSecrecy.isDumpable = false
        #expect(!ProcessSecrecy.isDumpable)
        ProcessSecrecy.isDumpable = true
        #expect(ProcessSecrecy.isDumpable)
        ProcessSecrecy.isDumpable = before
    }

    @Test("D-L2: the limit of core files is none, and cannot be raised again")
    func coreFiles() {
        ProcessSecrecy.denyCoreFiles()
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
        #expect(limit.rlim_cur == 0 && limit.rlim_max == 0)
    }

    @Test("D-L2: a debug build leaves the process as it is")
    func debug() {
        let before = ProcessSecrecy.isDumpable
        ProcessSecrecy.enforceInRelease()
        #if DEBUG
            #expect(ProcessSecrecy.isDumpable == before)
        #else
            #expect(!ProcessSecrecy.isDumpable)
            ProcessSecrecy.isDumpable = before
        #endif
    }
}
