"""Further invented facts and sentences, of other communities, for trying the check of sentences."""

from __future__ import annotations

from tests.grounding_cases import Case

MORE_CASES = [
    Case(
        facts=(
            "Add incremental snapshots to the backup daemon",
            (
                "Pull request borealis/vault#2207\n"
                "State: merged\n"
                "Author: Priya Raman (praman)\n"
                "Reviewed by: Jonas Weber (jweber)\n"
                "Merged: 2024-11-07\n"
                "\n"
                "Snapshots only contain blocks that changed since the last one. For the 2.4 TB test "
                "volume a snapshot shrinks from 310 GB to 22 GB and takes 4 min 10 s in place of 51 "
                "minutes. CPU load stays at 12%. Enabled with `--incremental`, off by default. Does "
                "not work on ZFS yet, see #2211."
            ),
            "borealis/vault#2207",
        ),
        true=(
            "Priya Raman's incremental snapshots for the backup daemon were merged (#2207).",
            "With the change, a snapshot of the 2.4 TB test volume is 22 GB instead of 310 GB.",
            "A snapshot that used to take 51 minutes now completes in 4 minutes and 10 seconds.",
            "Only blocks changed since the previous snapshot are stored.",
            "The feature is off by default and can be turned on with `--incremental`.",
            "It doesn't work on ZFS yet, which is tracked in #2211.",
            "CPU load remains at 12%.",
            "Raman landed incremental snapshots on November 7 after a review by Jonas Weber.",
            "Snapshots got a lot smaller: 22 GB, down from 310 GB.",
            (
                "On a test volume of 2.4 TB, snapshot size dropped from 310 GB to 22 GB and duration "
                "from 51 minutes to 4 min 10 s "
                "([#2207](https://github.com/borealis/vault/pull/2207))."
            ),
            "Backup snapshots can now be incremental, thanks to praman.",
            "jweber reviewed #2207 before it was merged.",
            "Users who want it must pass `--incremental`.",
            "Not every filesystem benefits: ZFS is not supported so far.",
        ),
        false={
            "mixed": (
                "Priya Raman's incremental snapshots are still in review (#2207).",
                "A snapshot of the 2.4 TB test volume is 310 GB instead of 22 GB.",
                "A snapshot takes 51 minutes in place of 4 min 10 s.",
                "The feature is on by default.",
                "It works on ZFS.",
                "CPU load stays at 21%.",
                "Jonas Weber wrote incremental snapshots (#2207).",
                "Raman landed them on November 8.",
                "The test volume has 2.4 GB.",
                "Snapshots contain blocks that changed since the first one.",
                "Enabled with `--full`, it saves space.",
                "It doesn't work on Btrfs yet.",
            ),
        },
    ),
    Case(
        facts=(
            (
                "Issue borealis/vault#2211\n"
                "Incremental snapshots fail on ZFS\n"
                "State: open\n"
                "Author: Mikael Lund (mlund)\n"
                "Opened: 2024-11-06\n"
                "\n"
                "The change tracker returns an empty list on ZFS pools, so snapshots are empty. Seen "
                "with ZFS 2.2.3 on 6 of our 19 hosts."
            ),
            (
                "Comment on borealis/vault#2211 by Priya Raman (praman), 2024-11-08\n"
                "\n"
                "I can reproduce it. A fix needs a second bitmap; I expect it next week."
            ),
            "borealis/vault#2211",
        ),
        true=(
            "Mikael Lund found that incremental snapshots come out empty on ZFS pools (#2211).",
            "Six of 19 hosts are affected, all running ZFS 2.2.3.",
            "Priya Raman could reproduce the problem and expects a fix next week.",
            "The fix requires a second bitmap, Raman commented.",
            "The issue stays open for now.",
            "Because the change tracker returns an empty list, snapshots on ZFS contain nothing.",
            "Opened on November 6 by mlund, the ZFS issue has since been reproduced.",
        ),
        false={
            "mixed": (
                "Seven of 19 hosts are affected.",
                "Mikael Lund could reproduce it and expects a fix next week.",
                "The issue was closed.",
                "All run ZFS 2.2.4.",
                "Priya Raman found that snapshots fail on ext4.",
                "A fix needs a third bitmap.",
            ),
        },
    ),
    Case(
        facts=(
            "Add incremental snapshots to the backup daemon",
            (
                "Pull request borealis/vault#2207\n"
                "State: merged\n"
                "Author: Priya Raman (praman)\n"
                "Reviewed by: Jonas Weber (jweber)\n"
                "Merged: 2024-11-07\n"
                "\n"
                "Snapshots only contain blocks that changed since the last one. For the 2.4 TB test "
                "volume a snapshot shrinks from 310 GB to 22 GB and takes 4 min 10 s in place of 51 "
                "minutes. CPU load stays at 12%. Enabled with `--incremental`, off by default. Does "
                "not work on ZFS yet, see #2211."
            ),
            "borealis/vault#2207",
            (
                "Issue borealis/vault#2211\n"
                "Incremental snapshots fail on ZFS\n"
                "State: open\n"
                "Author: Mikael Lund (mlund)\n"
                "Opened: 2024-11-06\n"
                "\n"
                "The change tracker returns an empty list on ZFS pools, so snapshots are empty. Seen "
                "with ZFS 2.2.3 on 6 of our 19 hosts."
            ),
            (
                "Comment on borealis/vault#2211 by Priya Raman (praman), 2024-11-08\n"
                "\n"
                "I can reproduce it. A fix needs a second bitmap; I expect it next week."
            ),
            "borealis/vault#2211",
        ),
        true=(
            "While #2207 was merged, its ZFS problem (#2211) is still open.",
            (
                "Priya Raman merged incremental snapshots (#2207) and reproduced the failure on ZFS "
                "that Mikael Lund had reported (#2211)."
            ),
        ),
        false={},
    ),
    Case(
        facts=(
            (
                "Hana Sato in #announcements\n"
                "\n"
                "Vault 3.2 is out! 41 pull requests from 17 people, 9 of them new here. Download: "
                "https://vault.example.io/releases/3.2 . Community call on November 14, 16:00 UTC, "
                "Jonas will show the new dashboard."
            ),
        ),
        true=(
            ("Hana Sato announced the release of Vault 3.2 with 41 pull requests by 17 people, nine of whom are new."),
            "Vault 3.2 can be [downloaded](https://vault.example.io/releases/3.2) now.",
            "The community call takes place on November 14 at 16:00 UTC.",
            "At the next community call, on 14 November, Jonas will demonstrate the new dashboard.",
            (
                "Seventeen people contributed forty-one pull requests to the release, according to "
                "Hana Sato in #announcements."
            ),
            "Nine first-time contributors helped with version 3.2.",
        ),
        false={
            "mixed": (
                "Vault 3.3 is out.",
                "17 pull requests came from 41 people.",
                "The community call is on November 15.",
                "The call is at 18:00 UTC.",
                "At the call, Hana will show the new dashboard and Priya the old one.",
                "Download it from https://vault.example.com/releases/3.2.",
            ),
        },
    ),
    Case(
        facts=(
            (
                "Tariq Aziz\n"
                "\n"
                "hey folks, Tariq here from Lahore. I run backups for a hospital (about 90 servers, "
                "600 TB) and got tired of our vendor. By day I write Go, by night I bake bread."
            ),
        ),
        true=(
            "Tariq Aziz from Lahore runs backups for a hospital with about 90 servers and 600 TB of data.",
            "Tariq writes Go by day and bakes bread by night.",
            (
                "Another newcomer, Tariq Aziz, looks after the backups of a hospital in Lahore: 600 "
                "TB on roughly ninety servers."
            ),
            "Tariq Aziz “got tired of our vendor”.",
        ),
        false={
            "mixed": (
                "Tariq Aziz runs backups for a hospital in Karachi.",
                "Tariq runs 600 servers.",
                "Tariq stores 600 GB.",
                "Tariq writes Rust by day.",
            ),
        },
    ),
    Case(
        facts=(
            (
                "Bench: compressors\n"
                "Issue borealis/vault#2190\n"
                "State: closed\n"
                "Author: Jonas Weber (jweber)\n"
                "Closed by: Jonas Weber (jweber)\n"
                "\n"
                "zstd level 3 gives ratio 2.91 at 812 MB/s, lz4 ratio 2.10 at 2,140 MB/s, brotli 3.05"
                " at 64 MB/s. On text zstd beats lz4 by 38%. We keep zstd as the default."
            ),
            "borealis/vault#2190",
        ),
        true=(
            (
                "Jonas Weber compared compressors: zstd at level 3 reaches a ratio of 2.91 at 812 "
                "MB/s, lz4 2.10 at 2,140 MB/s and brotli 3.05 at 64 MB/s (#2190)."
            ),
            "On text, zstd beats lz4 by 38 percent.",
            "zstd stays the default.",
            "Brotli compresses best, with a ratio of 3.05, but manages only 64 MB/s.",
            "lz4 is the fastest at 2,140 MB/s.",
            "The benchmark issue was closed by its author, Jonas Weber.",
            "Weber's comparison covers three compressors: zstd, lz4 and brotli.",
            "The default remains unchanged at zstd after a benchmark in #2190.",
        ),
        false={
            "mixed": (
                "lz4 gives ratio 2.91 at 812 MB/s.",
                "Brotli is the fastest at 2,140 MB/s.",
                "On text lz4 beats zstd by 38%.",
                "zstd at level 9 gives ratio 2.91.",
                "We keep lz4 as the default.",
                "The issue #2190 was merged.",
                "zstd reaches 812 GB/s.",
            ),
        },
    ),
    Case(
        facts=(
            "Add incremental snapshots to the backup daemon",
            (
                "Pull request borealis/vault#2207\n"
                "State: merged\n"
                "Author: Priya Raman (praman)\n"
                "Reviewed by: Jonas Weber (jweber)\n"
                "Merged: 2024-11-07\n"
                "\n"
                "Snapshots only contain blocks that changed since the last one. For the 2.4 TB test "
                "volume a snapshot shrinks from 310 GB to 22 GB and takes 4 min 10 s in place of 51 "
                "minutes. CPU load stays at 12%. Enabled with `--incremental`, off by default. Does "
                "not work on ZFS yet, see #2211."
            ),
            "borealis/vault#2207",
            (
                "Bench: compressors\n"
                "Issue borealis/vault#2190\n"
                "State: closed\n"
                "Author: Jonas Weber (jweber)\n"
                "Closed by: Jonas Weber (jweber)\n"
                "\n"
                "zstd level 3 gives ratio 2.91 at 812 MB/s, lz4 ratio 2.10 at 2,140 MB/s, brotli 3.05"
                " at 64 MB/s. On text zstd beats lz4 by 38%. We keep zstd as the default."
            ),
            "borealis/vault#2190",
        ),
        true=(
            (
                "Two things happened around storage: incremental snapshots were merged (#2207), and "
                "the compressor benchmark was closed (#2190)."
            ),
        ),
        false={},
    ),
    Case(
        facts=(
            (
                "feat(router): weighted round robin\n"
                "Pull request delta/gate#540\n"
                "State: open\n"
                "Author: Elif Kaya (ekaya)\n"
                "The author is an external contributor.\n"
                "Opened: 2026-02-17\n"
                "In this period: opened\n"
                "Labels: enhancement\n"
                "\n"
                "Adds weights to the round-robin balancer. With weights 3:1 the two backends of the "
                "demo get 74.6% and 25.4% of 100,000 requests. p99 goes 18.3 ms -> 11.2 ms under "
                "skew. Docs are missing."
            ),
            (
                "Review on delta/gate#540 by Noor Haddad (nhaddad), 2026-02-19\n"
                "\n"
                "Looks good, please add a test for weight 0. Will merge once CI is green."
            ),
            "delta/gate#540",
            "https://github.com/delta/gate/pull/540",
        ),
        true=(
            (
                "Elif Kaya, an external contributor, proposed weighted round robin for the router "
                "([#540](https://github.com/delta/gate/pull/540))."
            ),
            "With weights of 3:1, the demo's two backends receive 74.6% and 25.4% of 100,000 requests.",
            "Under skew, p99 latency improves from 18.3 ms to 11.2 ms.",
            (
                "Noor Haddad reviewed the change, asked for a test with weight 0 and intends to merge"
                " it once CI is green."
            ),
            "Documentation is still missing.",
            ("Still open is Elif Kaya's pull request for weighted load balancing (#540), which cuts p99 to 11.2 ms."),
            "Kaya's balancer splits 100,000 requests 74.6 to 25.4 percent.",
            "In his review, Noor Haddad wrote: “Looks good, please add a test for weight 0.”",
        ),
        false={
            "mixed": (
                "Elif Kaya's weighted round robin was merged (#540).",
                "p99 worsens from 11.2 ms to 18.3 ms.",
                "With weights 3:1 the backends get 25.4% and 76.4%.",
                "The demo served 10,000 requests.",
                "Noor Haddad proposed weighted round robin (#540).",
                "The external contributor Elif Demir added weights.",
                "#540 was closed on February 19.",
                "Docs are complete, and CI is green.",
            ),
        },
    ),
    Case(
        facts=(
            (
                "fix: leak in websocket handler\n"
                "Pull request delta/gate#533\n"
                "State: merged\n"
                "Author: Noor Haddad (nhaddad)\n"
                "Merged: 2026-02-18\n"
                "Closes: delta/gate#529\n"
                "\n"
                "Every dropped connection leaked 48 KB; after a day the canary held 3.1 GB. Now flat "
                "at 210 MB over 72 hours. Backported to 1.8.4."
            ),
            "delta/gate#533",
            "https://github.com/delta/gate/pull/533",
        ),
        true=(
            (
                "Noor Haddad fixed a leak in the websocket handler, where every dropped connection "
                "had cost 48 KB (#533)."
            ),
            "After a day, the canary used to hold 3.1 GB; memory now stays flat at 210 MB over 72 hours.",
            "The fix closes #529 and was backported to 1.8.4.",
            "Memory of the canary, once 3.1 GB after a day, is flat at 210 MB for 72 h now.",
            "Merged on February 18, #533 stops websocket connections from leaking.",
            "Leaking 48 KB per dropped connection is a thing of the past, as Haddad's fix was merged.",
        ),
        false={
            "mixed": (
                "Every dropped connection leaked 84 KB.",
                "Every dropped connection leaked 48 MB.",
                "It was backported to 1.8.5.",
                "The fix closes #592.",
                "Elif Kaya fixed the leak (#533).",
                "#533 is still a draft.",
            ),
        },
    ),
    Case(
        facts=(
            (
                "Issue delta/gate#551\n"
                "RFC: drop HTTP/1.0\n"
                "State: open\n"
                "Author: Sven Olsen (solsen)\n"
                "Labels: rfc\n"
                "\n"
                "Only 0.3% of traffic is HTTP/1.0. Proposal: warn in 2.0, remove in 2.1. Comments "
                "until March 15."
            ),
            "delta/gate#551",
        ),
        true=(
            "Sven Olsen suggests dropping HTTP/1.0, which accounts for only 0.3% of traffic (#551).",
            "The RFC proposes a warning in 2.0 and removal in 2.1; comments are welcome until March 15.",
            "Just 0.3 percent of the traffic still uses HTTP/1.0.",
            "Feedback on Sven Olsen's RFC is open until 15 March.",
        ),
        false={
            "mixed": (
                "Sven Olsen suggests dropping HTTP/2.",
                "Only 3% of traffic is HTTP/1.0.",
                "HTTP/1.0 is removed in 2.0 after a warning in 2.1.",
                "Comments until May 15.",
                "The RFC was merged.",
            ),
        },
    ),
    Case(
        facts=(
            (
                "Yuki Tanaka in #show-and-tell\n"
                "\n"
                "I put Gate in front of my home lab: 14 services on two Raspberry Pi 5, idle at 6.2 "
                "W. Write-up: https://yuki.example.net/gate-pi — ask me anything!"
            ),
            "https://discord.com/channels/1/2/3",
        ),
        true=(
            (
                "Yuki Tanaka runs Gate in front of a home lab with 14 services on two Raspberry Pi 5 "
                "boards that draw 6.2 W when idle."
            ),
            (
                "In #show-and-tell, Yuki Tanaka shared a [write-up](https://yuki.example.net/gate-pi)"
                " about Gate on Raspberry Pi."
            ),
            "Fourteen services, two Raspberry Pi 5s, 6.2 watts: Yuki Tanaka showed a home lab behind Gate.",
        ),
        false={
            "mixed": (
                "Yuki Tanaka runs 41 services.",
                "In #general, Yuki Tanaka shared a write-up.",
                "Yuki Tanaka shared a [write-up](https://yuki.example.org/gate-pi).",
                "Idle at 6.2 kW, the lab runs 14 services.",
            ),
        },
    ),
    Case(
        facts=(
            "19 external contributors",
            "delta/gate: 63 pull requests merged, 71 opened, 22 issues closed",
            "1,204 messages by 188 people",
        ),
        true=(
            "Sixty-three pull requests were merged and 71 opened, while 22 issues were closed.",
            "188 people wrote 1,204 messages.",
            "Nineteen contributors came from outside the team.",
            "The week saw 63 merged pull requests.",
        ),
        false={
            "mixed": (
                "Seventy-one pull requests were merged and 63 opened.",
                "1,204 people wrote 188 messages.",
                "Twenty external contributors took part.",
            ),
        },
    ),
    Case(
        facts=(
            (
                "Lars Pettersen\n"
                "\n"
                "Hei! Lars, sysadmin from Bergen. Moving 300 sites from nginx to Gate this spring. "
                "Also: sailing."
            ),
            (
                "Amara Obi\n"
                "\n"
                "Hello, I'm Amara. PhD student in Lagos, working on congestion control (QUIC). "
                "Looking for a mentor."
            ),
        ),
        true=(
            "Lars Pettersen, a sysadmin from Bergen, is moving 300 sites from nginx to Gate this spring.",
            "Amara Obi is a PhD student in Lagos who works on congestion control and is looking for a mentor.",
            "Among the newcomers are Lars Pettersen from Bergen and Amara Obi from Lagos.",
            "Amara, whose field is QUIC congestion control, hopes to find a mentor.",
        ),
        false={
            "mixed": (
                "Lars Pettersen is moving 300 sites from Gate to nginx.",
                "Lars Pettersen is a PhD student in Lagos.",
                "Amara Obi from Nairobi works on QUIC.",
                "Lars Pettersen works at Equinor.",
            ),
        },
    ),
    Case(
        facts=(
            (
                "feat(router): weighted round robin\n"
                "Pull request delta/gate#540\n"
                "State: open\n"
                "Author: Elif Kaya (ekaya)\n"
                "The author is an external contributor.\n"
                "Opened: 2026-02-17\n"
                "In this period: opened\n"
                "Labels: enhancement\n"
                "\n"
                "Adds weights to the round-robin balancer. With weights 3:1 the two backends of the "
                "demo get 74.6% and 25.4% of 100,000 requests. p99 goes 18.3 ms -> 11.2 ms under "
                "skew. Docs are missing."
            ),
            (
                "Review on delta/gate#540 by Noor Haddad (nhaddad), 2026-02-19\n"
                "\n"
                "Looks good, please add a test for weight 0. Will merge once CI is green."
            ),
            "delta/gate#540",
            "https://github.com/delta/gate/pull/540",
            (
                "fix: leak in websocket handler\n"
                "Pull request delta/gate#533\n"
                "State: merged\n"
                "Author: Noor Haddad (nhaddad)\n"
                "Merged: 2026-02-18\n"
                "Closes: delta/gate#529\n"
                "\n"
                "Every dropped connection leaked 48 KB; after a day the canary held 3.1 GB. Now flat "
                "at 210 MB over 72 hours. Backported to 1.8.4."
            ),
            "delta/gate#533",
            "https://github.com/delta/gate/pull/533",
        ),
        true=(
            "Noor Haddad fixed a websocket leak (#533) and reviewed weighted round robin by Elif Kaya (#540).",
            (
                "Of the two changes to the gate, the leak fix (#533) was merged, whereas weighted "
                "round robin (#540) awaits a merge."
            ),
        ),
        false={},
    ),
    Case(
        facts=(
            (
                "fix: leak in websocket handler\n"
                "Pull request delta/gate#533\n"
                "State: merged\n"
                "Author: Noor Haddad (nhaddad)\n"
                "Merged: 2026-02-18\n"
                "Closes: delta/gate#529\n"
                "\n"
                "Every dropped connection leaked 48 KB; after a day the canary held 3.1 GB. Now flat "
                "at 210 MB over 72 hours. Backported to 1.8.4."
            ),
            "delta/gate#533",
            "https://github.com/delta/gate/pull/533",
            (
                "Issue delta/gate#551\n"
                "RFC: drop HTTP/1.0\n"
                "State: open\n"
                "Author: Sven Olsen (solsen)\n"
                "Labels: rfc\n"
                "\n"
                "Only 0.3% of traffic is HTTP/1.0. Proposal: warn in 2.0, remove in 2.1. Comments "
                "until March 15."
            ),
            "delta/gate#551",
        ),
        true=("Meanwhile, #533 was merged and closes #529; the RFC to drop HTTP/1.0 (#551) is open for comments.",),
        false={},
    ),
]
