import CAllocationCount
import RelyingPartyWorkload

// A program of its own, because its allocator counts: prints how many pieces of memory it takes to judge one answer of a
// phone, from the octets of the message to the verdict, such as `authentication-p256-raw 41`. With a number as argument it
// takes as many pieces more in each operation, so that a test sees the count follow.

let surplus = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0

for workload in try Workload.all() {
    for (name, operation) in [("registration", workload.register), ("authentication", workload.authenticate)] {
        let count = try AllocationCount.mean(of: operation, surplus: surplus)
        print("\(name)-\(workload.name) \(count)")
    }
}
