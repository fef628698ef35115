import { runService } from '@sevenfold/chassis/run-service';
import { variables } from './config';
import { spamfilterService } from './service';

void runService(spamfilterService, variables, process.env);
