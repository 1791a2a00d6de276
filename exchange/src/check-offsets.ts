/** Before anything is folded further: the tables that services fold from history must fit the journal, which a restore can break. */
import { type CampaignTables, historyOffsets as campaignOffsets } from '@orrery/campaign';
import { offsetFault, whenFollowed } from '@orrery/foundation';
import { historyOffset as fundOffset, type FundTables } from '@orrery/fund';
import { historyOffset as indexerOffset, type IndexerTables } from '@orrery/indexer';
import { historyOffset as otcOffset, type OtcTables } from '@orrery/otc';
import { type ProjectorTables, readOffset as projectorOffset } from '@orrery/projector';
import { coversHistory, nodeDisk } from '@orrery/sequencer';
import type { StartedDatabase } from './start-database.ts';
import { StartError } from './start-error.ts';

/**
 * @param journal its folder and its last command, which grows while another process writes
 * @throws StartError with the sentence of the first that does not fit; those that no command rebuilds come first.
 */
export async function checkOffsets(database: StartedDatabase, journal: { directory: string; last: () => number }): Promise<void> {
  const covers = (after: number): boolean => coversHistory({ disk: nodeDisk, directory: journal.directory }, after);
  const offsets = [
    await indexerOffset(database.of<IndexerTables>()),
    ...(await campaignOffsets(database.of<CampaignTables>())),
    await otcOffset(database.of<OtcTables>()),
    await fundOffset(database.of<FundTables>()),
    await projectorOffset(database.of<ProjectorTables>()),
  ];
  for (const offset of offsets) {
    await whenFollowed(offset, journal.last);
    const fault = offsetFault(offset, { last: journal.last(), covers });
    if (fault !== undefined) throw new StartError(fault);
  }
}
