import Foundation
import UAF

// What an operator notices: how many answers of phones one core reads and judges in a second, beside what the bare
// signature verification of the crypto library allows on the same machine in the same run.

let workloads: [(name: String, algorithm: AuthenticationAlgorithm, format: PublicKeyFormat)] = [
    ("p256-raw", .secp256r1ECDSASHA256Raw, .eccX962Raw),
    ("p256-der", .secp256r1ECDSASHA256DER, .eccX962DER),
    ("rsa-2048", .rsaPKCS1SHA256DER, .rsa2048DER),
]
let seconds = ProcessInfo.processInfo.environment["SIGNET_BENCHMARK_SECONDS"].flatMap(Double.init) ?? 2

var figures: [String] = []
for workload in workloads {
    let measured = try Workload(algorithm: workload.algorithm, format: workload.format)
    let base = "verify-\(workload.name)"
    let bare = try Rate(seconds: seconds, try measured.bareVerification()).perSecond
    let rates = [
        (base, bare),
        ("registration-\(workload.name)", try Rate(seconds: seconds, measured.register).perSecond),
        ("authentication-\(workload.name)", try Rate(seconds: seconds, measured.authenticate).perSecond),
    ]
    for (name, rate) in rates {
        let ratio = (rate / bare * 1000).rounded() / 1000
        print("\(name): \(Int(rate)) operations per second, \(ratio) of \(base)")
        figures.append(
            #"{"name":"\#(name)","value":\#(Int(rate)),"unit":"1/s","ratio":\#(ratio),"base":"\#(base)"}"#)
    }
}
let machine = #"{"cores":\#(ProcessInfo.processInfo.activeProcessorCount)}"#
print(#"{"figures":[\#(figures.joined(separator: ","))],"machine":\#(machine)}"#)
